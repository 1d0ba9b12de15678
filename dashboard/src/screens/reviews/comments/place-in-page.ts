// Where in a page the words lie that a comment quotes: the heading above them, and their place in the order of the page.

import { findQuote } from '../../../parts/seen/shown-text.js'
import { parseUnstyled } from '../../../parts/seen/unstyled.js'
import type { CommentThread } from './threads.js'

export interface PlacedThread extends CommentThread {
  /** The text of the heading above the words; null above the first heading. Undefined if the page has not these words. */
  heading: string | null | undefined
}

/** Returns the threads in the order of the page: first those on the whole page, last those whose words are gone. */
export function placeThreads(threads: readonly CommentThread[], html: string | null): readonly PlacedThread[] {
  const document = parseUnstyled(html ?? '')
  const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  const placed = threads.map((thread) => {
    const [words] = thread.first.quote === null ? [] : findQuote(document, thread.first.quote.exact)
    const above = words && headings.findLast((each) => isBefore(each, words.node) || each.contains(words.node))
    const heading = words && (above?.textContent?.trim() ?? null)
    return { thread: { ...thread, heading }, words }
  })
  return placed
    .toSorted((one, other) => {
      if (one.words !== undefined && other.words !== undefined)
        return one.words.node === other.words.node
          ? one.words.from - other.words.from
          : isBefore(one.words.node, other.words.node)
            ? -1
            : 1
      return rankOf(one.thread) - rankOf(other.thread)
    })
    .map(({ thread }) => thread)
}

function rankOf({ first, heading }: PlacedThread): number {
  if (first.quote === null) return 0
  return heading === undefined ? 2 : 1
}

function isBefore(one: Node, other: Node): boolean {
  return (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}
