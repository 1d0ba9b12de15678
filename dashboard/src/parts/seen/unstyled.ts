// Parses the HTML of a page without its styles, which the Content-Security-Policy of the dashboard forbids, and writes it with them again.

export const HIDDEN_STYLE = 'hidden-style'

/** Scripts do not run, and nothing is loaded. */
export function parseUnstyled(html: string): Document {
  return new DOMParser().parseFromString(hideStyles(html), 'text/html')
}

export function writeStyled({ doctype, documentElement }: Document): string {
  return showStyles(`${doctype === null ? '' : '<!doctype html>\n'}${documentElement.outerHTML}`)
}

/** A script of an unknown type holds text as a style does, and does nothing. */
function hideStyles(html: string): string {
  return html
    .replace(/(\s)style(\s*=)/gi, `$1${HIDDEN_STYLE}$2`)
    .replace(/<style\b/gi, `<script type="${HIDDEN_STYLE}"`)
    .replace(/<\/style\b/gi, '</script')
}

function showStyles(html: string): string {
  return html
    .replace(new RegExp(`<script type="${HIDDEN_STYLE}"([^>]*)>([^]*?)</script`, 'g'), '<style$1>$2</style')
    .replaceAll(`${HIDDEN_STYLE}=`, 'style=')
}
