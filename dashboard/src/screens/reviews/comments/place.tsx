// Says what a comment is about: a page, lines of it, or words and the heading above them.

import type { Comment } from './comment-api.js'
import type { PlacedThread } from './place-in-page.js'

interface PlaceProps {
  of: Comment
  /** The path, where it is not shown beside the page. */
  path?: string | undefined
  /** As a placed thread has it; left out where the page is not shown. */
  heading?: PlacedThread['heading']
  isPlaced?: boolean
}

export function Place({ of: { quote, lines }, path, heading, isPlaced = false }: PlaceProps) {
  if (quote === null && lines === null && path === undefined) return null
  return (
    <p class="hint place" dir="auto">
      {path !== undefined && <span>{path}</span>}
      {heading != null && (
        <span>
          Under <b>{heading}</b>
        </span>
      )}
      {lines !== null && (
        <span>{lines.from === lines.to ? `Line ${lines.from}` : `Lines ${lines.from}–${lines.to}`}</span>
      )}
      {quote !== null && <q>{quote.exact}</q>}
      {quote !== null && isPlaced && heading === undefined && <span>The page has not these words now.</span>}
    </p>
  )
}
