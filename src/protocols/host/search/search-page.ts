// Renders the page on which visitors search a site: a form and the results. It works without scripts, and follows the browser's choice
// of light or dark.

import { type Html, html } from '../../../texts/html.js'

export interface SearchResults {
  q: string
  /** From 1. */
  page: number
  hits: readonly Hit[]
  isMore: boolean
}

export interface Hit {
  /** The path of its URL, percent-encoded. */
  href: string
  title: string | null
  lines: readonly {
    text: string
    /** Positions in `text` of the words searched for: UTF-16 units, in order, with exclusive ends. */
    ranges: readonly (readonly [start: number, end: number])[]
  }[]
}

const STYLE = `body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}
form{display:flex;flex-wrap:wrap;gap:.5rem}label{flex:100%}input,button{font:inherit;padding:.4rem .6rem}input{flex:1;min-width:0}
ol{list-style:none;padding:0}li{margin:1.2rem 0;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:0}p{margin:.2rem 0}
li p{opacity:.8}mark{background:#fd06;color:inherit;font-weight:600}nav{display:flex;gap:1rem}`

export function renderSearchPage(results: SearchResults): string {
  const { q, hits } = results
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${q === '' ? 'Search' : `${q} – Search`}</title>
<style>${STYLE}</style>
<main>
<h1>Search</h1>
<form action="/_search" role="search">
<label for="q">Words on the pages of this site</label>
<input id="q" name="q" type="search" dir="auto" maxlength="500" required value="${q}">
<button>Search</button>
</form>
${q !== '' && html`<p role="status">${countOf(results)}</p>`}
<ol>${hits.map(renderHit)}</ol>
${renderLinks(results)}
</main>
</html>
`.text
}

function countOf({ hits, page, isMore }: SearchResults): string {
  if (hits.length === 0)
    return page === 1 ? 'No page has all of these words.' : 'No further page has all of these words.'
  const count = hits.length === 1 ? '1 page' : `${hits.length} pages`
  return page === 1 && !isMore
    ? `${count} found.`
    : `${count} on page ${page} of the results${isMore ? ', and more' : ''}.`
}

/** Leaves out lines that only repeat the title. */
function renderHit({ href, title, lines }: Hit): Html {
  return html`<li><h2 dir="auto"><a href="${href}">${title ?? href}</a></h2>
${lines.filter(({ text }) => text !== title).map((line) => html`<p dir="auto">${renderLine(line)}</p>`)}</li>
`
}

function renderLine({ text, ranges }: Hit['lines'][number]): Html[] {
  const starts = [0, ...ranges.map(([, end]) => end)]
  return starts.map((start, at) => {
    const [first, last] = ranges[at] ?? [text.length, text.length]
    return html`${text.slice(start, first)}${last > first && html`<mark>${text.slice(first, last)}</mark>`}`
  })
}

function renderLinks({ q, page, isMore }: SearchResults): Html {
  const link = (to: number, rel: string, name: string) =>
    html`<a rel="${rel}" href="/_search?q=${encodeURIComponent(q)}&amp;page=${to}">${name}</a>`
  return html`<nav aria-label="Pages of results">
${page > 1 && link(page - 1, 'prev', 'Previous')} ${isMore && link(page + 1, 'next', 'More results')} <a href="/">Start page</a></nav>`
}
