// The pages whose text has the searched words, the best first, with the lines that contain them.

import type { ComponentChildren } from 'preact'
import { type PageHit, type Site, siteApi } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useSettled } from '../../api/use-settled.js'
import { AwaitList } from '../../parts/states/await.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { SEARCH_DELAY_MS } from './view.js'

export function TextHits({ site, words }: { site: Site; words: string }) {
  const q = useSettled(words.trim(), SEARCH_DELAY_MS)
  const hits = useList<PageHit>(`text ${site.id} ${q}`, (cursor, signal) =>
    siteApi(site).GET('/search', { params: { query: { q, ...cursor } }, signal }),
  )
  return (
    <AwaitList of={hits} moreLabel="More pages" empty={<EmptyState title="No page has these words in its text" />}>
      {(entries) => (
        <ul class="hits" aria-label="Pages with these words">
          {entries.map((hit) => (
            <li key={hit.id}>
              <a class="hit" href={`/sites/${site.slug}/pages/${hit.id}`}>
                <strong dir="auto">{hit.title ?? hit.path}</strong>
                {hit.title !== null && <span class="hint">{hit.path}</span>}
                {hit.lines.map(({ line, text, ranges }) => (
                  <span key={line}>
                    <span class="hint">{line}</span> {marked(text, ranges)}
                  </span>
                ))}
              </a>
            </li>
          ))}
        </ul>
      )}
    </AwaitList>
  )
}

/** The text with the ranges marked; they do not overlap. */
function marked(text: string, ranges: readonly (readonly number[])[]): ComponentChildren {
  let at = 0
  const parts: ComponentChildren[] = []
  for (const [start = 0, end = 0] of ranges) {
    parts.push(text.slice(at, start), <mark>{text.slice(start, end)}</mark>)
    at = end
  }
  return [...parts, text.slice(at)]
}
