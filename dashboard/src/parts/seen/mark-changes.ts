// Marks words in copies of documents. Of two documents it marks those that differ: struck out in the earlier one, highlighted in the later
// one. It also marks those that comments quote. Nothing else changes, so the documents look as visitors see them.

import { presentableDiff } from '@codemirror/merge'
import { findQuote, shownTexts, type Stretch } from './shown-text.js'
import { HIDDEN_STYLE, parseUnstyled, writeStyled } from './unstyled.js'

const STYLES = {
  ins: 'background:#b7efc5;color:#08361a;text-decoration:underline;text-decoration-thickness:2px',
  del: 'background:#ffd0cc;color:#4d0f0a;text-decoration:line-through',
  mark: 'background:#ffe69a;color:#3a2b00;outline:2px solid #8a6d00',
} as const
/** A finer search in long, very different texts would take seconds. */
const SCAN_LIMIT = 2_000

type Mark = keyof typeof STYLES

interface Range {
  from: number
  to: number
}

export function markChanges(before: string, after: string): { before: string; after: string; count: number } {
  const earlier = new MarkedDocument(before)
  const later = new MarkedDocument(after)
  const changes = presentableDiff(earlier.text, later.text, { scanLimit: SCAN_LIMIT })
  earlier.mark(
    changes.map(({ fromA, toA }) => ({ from: fromA, to: toA })),
    'del',
  )
  later.mark(
    changes.map(({ fromB, toB }) => ({ from: fromB, to: toB })),
    'ins',
  )
  return { before: earlier.html(), after: later.html(), count: changes.length }
}

/** Words that a comment is about. */
export interface Quote {
  /** The number of the comment. */
  number: number
  exact: string
}

/** Marks the quoted words where they are first. */
export function markQuotes(html: string, quotes: readonly Quote[]): string {
  const document = parseUnstyled(html)
  for (const { number, exact } of quotes)
    for (const stretch of findQuote(document, exact)) wrap(stretch, 'mark').title = `Comment ${number}`
  return writeStyled(document)
}

class MarkedDocument {
  /** The shown text, a line for each piece. */
  readonly text: string
  readonly #document: Document
  readonly #pieces: { node: Text; at: number }[] = []

  constructor(html: string) {
    this.#document = parseUnstyled(html)
    let text = ''
    for (const node of shownTexts(this.#document)) {
      this.#pieces.push({ node, at: text.length })
      text += `${node.data}\n`
    }
    this.text = text
  }

  /** Marks ranges of the text. They are in order. */
  mark(ranges: readonly Range[], as: Mark): void {
    // From the end on: what is split stays before the next split.
    for (const { from, to } of ranges.toReversed())
      for (const { node, at } of this.#pieces.toReversed()) {
        const stretch = { node, from: Math.max(0, from - at), to: Math.min(node.length, to - at) }
        if (stretch.from < stretch.to && node.data.slice(stretch.from, stretch.to).trim() !== '') wrap(stretch, as)
      }
  }

  html(): string {
    return writeStyled(this.#document)
  }
}

function wrap({ node, from, to }: Stretch, as: Mark): HTMLElement {
  const marked = node.splitText(from)
  marked.splitText(to - from)
  const mark = node.ownerDocument.createElement(as)
  mark.setAttribute(HIDDEN_STYLE, STYLES[as])
  marked.replaceWith(mark)
  mark.append(marked)
  return mark
}
