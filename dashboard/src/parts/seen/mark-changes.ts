// Marks the words that differ in copies of two documents: struck out in the earlier one, highlighted in the later one. Nothing else of
// the documents changes, so both look as visitors see them.

import { presentableDiff } from '@codemirror/merge'

/** Text in them is not shown, or may hold no elements. */
const UNMARKED = 'script, style, template, textarea, select, title, noscript, svg, iframe'
const STYLES = {
  ins: 'background:#b7efc5;color:#08361a;text-decoration:underline;text-decoration-thickness:2px',
  del: 'background:#ffd0cc;color:#4d0f0a;text-decoration:line-through',
} as const
/** A finer search in long, very different texts would take seconds. */
const SCAN_LIMIT = 2_000

const HIDDEN = 'hidden-style'

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

class MarkedDocument {
  /** The shown text, a line for each piece. */
  readonly text: string
  readonly #document: Document
  readonly #pieces: { node: Text; at: number }[] = []

  constructor(html: string) {
    this.#document = new DOMParser().parseFromString(hideStyles(html), 'text/html')
    let text = ''
    const walker = this.#document.createTreeWalker(this.#document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      if (node.data.trim() === '' || node.parentElement?.closest(UNMARKED) != null) continue
      this.#pieces.push({ node, at: text.length })
      text += `${node.data}\n`
    }
    this.text = text
  }

  /** Marks ranges of the text. They are in order. */
  mark(ranges: readonly Range[], as: Mark): void {
    // From the end on: what is split stays before the next split.
    for (const { from, to } of ranges.toReversed())
      for (const { node, at } of this.#pieces.toReversed())
        this.#wrap(node, { from: Math.max(0, from - at), to: Math.min(node.length, to - at) }, as)
  }

  #wrap(node: Text, { from, to }: Range, as: Mark): void {
    if (from >= to || node.data.slice(from, to).trim() === '') return
    const changed = node.splitText(from)
    changed.splitText(to - from)
    const mark = this.#document.createElement(as)
    mark.setAttribute(HIDDEN, STYLES[as])
    changed.replaceWith(mark)
    mark.append(changed)
  }

  html(): string {
    const { doctype, documentElement } = this.#document
    return showStyles(`${doctype === null ? '' : '<!doctype html>\n'}${documentElement.outerHTML}`)
  }
}

/**
 * Takes the styles out of a document's reach, so that it can be parsed here: the Content-Security-Policy of the dashboard forbids them. A
 * script of an unknown type holds text as a style does, and does nothing.
 */
function hideStyles(html: string): string {
  return html
    .replace(/(\s)style(\s*=)/gi, `$1${HIDDEN}$2`)
    .replace(/<style\b/gi, `<script type="${HIDDEN}"`)
    .replace(/<\/style\b/gi, '</script')
}

function showStyles(html: string): string {
  return html
    .replace(new RegExp(`<script type="${HIDDEN}"([^>]*)>([^]*?)</script`, 'g'), '<style$1>$2</style')
    .replaceAll(`${HIDDEN}=`, 'style=')
}
