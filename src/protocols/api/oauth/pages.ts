// The few pages that the authorization server makes itself: refusals, and the code that a program without a browser shows. They run no
// script. Consent is given at the dashboard.

import { createHash } from 'node:crypto'

/** The colours of the dashboard, `dashboard/src/styles/base.css`. */
const STYLE = `
:root {
  color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif;
  --text: #1b1e28; --muted: #5a6072; --page: #f5f6f9; --panel: #fff; --line: #d9dce6; --edge: #787f92;
  --accent: #3a4fd0; --on-accent: #fff; --danger: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6e8ef; --muted: #a0a6b8; --page: #14161c; --panel: #1c1f28; --line: #353a49; --edge: #8087a0;
    --accent: #93a4ff; --on-accent: #10131c; --danger: #ff9d94;
  }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text) }
header { background: var(--panel); border-bottom: 1px solid var(--line) }
.brand { display: inline-flex; align-items: center; gap: 0.5rem; padding: 0.75rem clamp(0.75rem, 3vw, 2rem); color: inherit; font-weight: 600; text-decoration: none }
main { max-width: 34rem; margin: 10vh auto 2rem; padding: 0 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.75rem }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 1.25rem }
.panel > :first-child { margin-top: 0 }
.panel > :last-child { margin-bottom: 0 }
.code { font: 600 1.5rem/1.4 ui-monospace, Menlo, Consolas, monospace; letter-spacing: 0.08em }
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 1rem 0 0 }
[role="alert"] { color: var(--danger) }
label { font-weight: 600 }
input { display: block; width: 100%; font: inherit; font-weight: 400; margin-top: 0.35rem; padding: 0.5rem 0.75rem; color: inherit; background: var(--page); border: 1px solid var(--edge); border-radius: 8px }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0.5rem 1rem; color: inherit; background: var(--panel); border: 1px solid var(--edge); border-radius: 8px; cursor: pointer }
button.main { color: var(--on-accent); background: var(--accent); border-color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`

/** The icon of the dashboard. The policy allows no image. */
const ICON =
  '<svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#3a4fd0"/><path d="M9 25V7h8a6 6 0 0 1 0 12h-4" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/><path d="M13 25h10" stroke="#fff" stroke-opacity=".55" stroke-width="3.2" stroke-linecap="round"/></svg>'

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
<header><a class="brand" href="/">${ICON}<span>Palimpsest</span></a></header>
<main>
<h1>${escaped(title)}</h1>
<div class="panel">
${body}
</div>
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
