// The few pages that the authorization server makes itself: refusals, and the code that a program without a browser shows. They run no
// script. Consent is given at the dashboard.

import { createHash } from 'node:crypto'

/** The colours of the dashboard, `dashboard/src/styles/tokens.css`, and the form of its screens before sign-in. */
const STYLE = `
:root {
  color-scheme: light dark; font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --text: #191c26; --muted: #5b6172; --page: #ffffff; --panel: #ffffff; --sunken: #f5f6f9; --line: #e3e6ee; --edge: #8b92a5;
  --accent: #3a4fd0; --on-accent: #ffffff; --danger-text: #a21e17; --danger-tint: #fde6e4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e7e9f0; --muted: #a2a8ba; --page: #13151b; --panel: #1a1d25; --sunken: #1a1d25; --line: #2b303d; --edge: #6b7286;
    --accent: #96a6ff; --on-accent: #10131c; --danger-text: #ffa59d; --danger-tint: #431b18;
  }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text) }
main { max-width: 40rem; margin: 0 auto; padding: 12vh 1.5rem 2rem; overflow-wrap: anywhere }
.brand { display: inline-flex; align-items: center; gap: 0.5rem; margin-bottom: 0.75rem; color: inherit; font-weight: 700; text-decoration: none }
h1 { font-size: 1.625rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; margin: 0 }
p { margin: 0.75rem 0 }
.code { padding: 0.75rem 1rem; font: 600 1.5rem/1.4 ui-monospace, Menlo, Consolas, monospace; letter-spacing: 0.08em; background: var(--sunken); border: 1px solid var(--line); border-radius: 8px }
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 1rem 0 0 }
[role="alert"] { padding: 0.75rem 1rem; color: var(--danger-text); background: var(--danger-tint); border-radius: 12px }
label { font-weight: 600 }
input { display: block; width: 100%; font: inherit; font-weight: 400; margin-top: 0.35rem; min-height: 2.6rem; padding: 0.25rem 0.75rem; color: inherit; background: var(--panel); border: 1px solid var(--edge); border-radius: 8px }
button { font: inherit; font-weight: 500; min-height: 2.6rem; padding: 0.25rem 0.75rem; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; cursor: pointer }
button.main { color: var(--on-accent); background: var(--accent); border-color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`

/** The icon of the dashboard. The policy allows no image. */
const ICON =
  '<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#3a4fd0"/><path d="M9 25V7h8a6 6 0 0 1 0 12h-4" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/><path d="M13 25h10" stroke="#fff" stroke-opacity=".55" stroke-width="3.2" stroke-linecap="round"/></svg>'

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
<p><label>Code that the program shows <input name="user_code" value="${escaped(code)}" autocomplete="off" autofocus required></label></p>
<p class="bar"><button class="main" type="submit">Continue</button></p>
</form>`,
  )
}

/** Asks whether the program shows this code too, so that nobody connects the program of somebody else. */
export function sameCodePage(secret: string, { name, code }: { name: string; code: string }): string {
  return page(
    'Is it your program?',
    `<p>A program that calls itself “${escaped(name)}” asks for access. It must show this code:</p>
<p class="code">${escaped(code)}</p>
<p>Go on only if you started it yourself, just now.</p>
<form method="post" action="/oauth/device">
<input type="hidden" name="xsrf" value="${escaped(secret)}">
<input type="hidden" name="user_code" value="${escaped(code)}">
<p class="bar"><button class="main" type="submit" name="confirm" value="yes">It shows this code</button>
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
<a class="brand" href="/">${ICON}<span>Palimpsest</span></a>
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
