// The few pages that the authorization server makes itself: refusals, and the code that a program without a browser shows. They run no
// script. Consent is given at the dashboard.

import { createHash } from 'node:crypto'

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 12vh auto 2rem; padding: 0 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.5rem; line-height: 1.2 }
input, button { font: inherit; padding: 0.4rem 0.75rem; margin-top: 0.25rem }
button + button { margin-left: 0.5rem }
`
/** Their policy: the one style above, forms to this service only, and no frames. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export function textPage(title: string, ...paragraphs: string[]): string {
  return page(title, paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('\n'))
}

/** Asks for the code that the program shows. `secret` proves that the form is this browser's own. */
export function codePage(secret: string, code: string, problem?: string): string {
  const told = problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>\n`
  return page(
    'Connect a program',
    `${told}<form method="post" action="/oauth/device">
<input type="hidden" name="xsrf" value="${escaped(secret)}">
<p><label>Code that the program shows<br><input name="user_code" value="${escaped(code)}" autocomplete="off" autofocus required></label></p>
<p><button type="submit">Continue</button></p>
</form>`,
  )
}

/** Asks whether the program shows this code too, so that nobody connects the program of somebody else. */
export function sameCodePage(secret: string, { name, code }: { name: string; code: string }): string {
  return page(
    'Is it your program?',
    `<p>A program that calls itself “${escaped(name)}” asks for access. It must show this code:</p>
<p><strong>${escaped(code)}</strong></p>
<p>Go on only if you started it yourself, just now.</p>
<form method="post" action="/oauth/device">
<input type="hidden" name="xsrf" value="${escaped(secret)}">
<input type="hidden" name="user_code" value="${escaped(code)}">
<p><button type="submit" name="confirm" value="yes">It shows this code</button>
<button type="submit" name="abort" value="yes">Stop</button></p>
</form>`,
  )
}

function page(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
</html>
`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
