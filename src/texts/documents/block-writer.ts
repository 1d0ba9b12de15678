// Writes blocks of text as lines. Collapses white space, puts marks such as `**` only around words, and gives each line the prefixes of its
// lists and quotes.

import type { Style } from './styles.js'

/** An open mark. It is written with the first word after it, so that no mark stands around nothing. */
interface Mark {
  name: string
  before: string
  after: string
  isWritten: boolean
  /** Whether it is not opened again in the next block: the target of a link is written once. */
  isOnce: boolean
}

interface Container {
  name: string
  /** Prefixes of the first line, and of the others. */
  first: string
  rest: string
  isBegun: boolean
}

/** Bounds of nesting. Deeper levels are written without marks and prefixes, so that the output is only some times as long as the input. */
const MAX_MARKS = 8
const MAX_CONTAINERS = 24

export type Gap = 'line' | 'blank'

export class BlockWriter {
  readonly #lines: string[] = []
  #pieces: string[] = []
  #hasSpace = false
  #lead = ''
  #gap: Gap = 'line'
  /** Whether an item of a list has begun and holds nothing yet. */
  #isItemBegun = false
  #marks: Mark[] = []
  #containers: Container[] = []
  /** Number of open containers that are too deep. */
  #overflow = 0
  /** Whether blocks are written into one line, as in a cell of a table. */
  #isOneLine = false
  readonly #escape: (text: string) => string
  readonly #escapeStart: (line: string) => string
  readonly #lineBreak: string

  /** Takes the parts of a style that write words, lines that would begin with markup, and breaks within a block. */
  constructor({ escape, escapeStart, lineBreak }: Pick<Style, 'escape' | 'escapeStart' | 'lineBreak'>) {
    this.#escape = escape
    this.#escapeStart = escapeStart
    this.#lineBreak = lineBreak
  }

  text(raw: string): void {
    const text = raw.replaceAll(/[ \t\n\f\r]+/g, ' ')
    if (text.startsWith(' ')) this.#hasSpace = true
    const words = text.replaceAll(/^ | $/g, '')
    if (words === '') return
    this.written(this.#escape(words))
    this.#hasSpace = text.endsWith(' ')
  }

  /** Writes a word as it is. */
  written(word: string): void {
    if (this.#hasSpace && this.#pieces.length > 0 && this.#pieces.at(-1) !== this.#lineBreak) this.#pieces.push(' ')
    this.#hasSpace = false
    for (const mark of this.#marks) {
      if (!mark.isWritten) this.#pieces.push(mark.before)
      mark.isWritten = true
    }
    this.#pieces.push(word)
  }

  openMark(name: string, before: string, after: string, isOnce = false): void {
    const isPlain = this.#marks.length >= MAX_MARKS || this.#marks.some((mark) => mark.name === name)
    this.#marks.push({ name, before: isPlain ? '' : before, after: isPlain ? '' : after, isWritten: false, isOnce })
    if (this.#marks.length > 4 * MAX_MARKS) this.#marks.pop()
  }

  closeMark(name: string): void {
    const at = this.#marks.findLastIndex((mark) => mark.name === name)
    if (at >= 0) this.#endMarks(this.#marks.splice(at))
  }

  break(): void {
    if (this.#isOneLine || this.#lead !== '') this.#hasSpace = true
    else if (this.#pieces.length > 0) this.#pieces.push(this.#lineBreak)
  }

  /** Ends the block; `gap` separates it from the next. */
  end(gap: Gap): void {
    if (this.#isOneLine) {
      this.#hasSpace = true
      return
    }
    const body = this.#takeBody()
    if (body !== '')
      this.lines(body.split('\n').map((line, i) => (i === 0 ? this.#lead : '') + this.#escapeStart(line)))
    this.#lead = ''
    if (body !== '' || (gap === 'blank' && !this.#isItemBegun)) this.#gap = gap
  }

  /** Begins an item. No blank line comes before its first block and, if `isTight`, before the item. */
  beginItem(isTight: boolean): void {
    this.#isItemBegun = true
    if (isTight) this.#gap = 'line'
  }

  /** Sets the text with which the next block begins: `## `. */
  lead(lead: string): void {
    this.#lead = lead
  }

  openContainer(name: string, first: string, rest: string): void {
    if (this.#containers.length >= MAX_CONTAINERS) this.#overflow += 1
    else this.#containers.push({ name, first, rest, isBegun: false })
  }

  /** Closes the innermost container of this name, unless one of `within` lies between. */
  closeContainer(name: string, within: readonly string[] = []): void {
    if (this.#overflow > 0) {
      this.#overflow -= 1
      return
    }
    const at = this.#containers.findLastIndex((container) => container.name === name || within.includes(container.name))
    if (this.#containers[at]?.name === name) this.#containers.length = at
  }

  /** Writes lines as they are, as a block. */
  lines(lines: readonly string[]): void {
    const rest = () => this.#containers.map((container) => container.rest).join('')
    if (this.#gap === 'blank' && this.#lines.length > 0) this.#lines.push(rest().trimEnd())
    for (const line of lines) {
      const prefix = this.#containers
        .map((container) => (container.isBegun ? container.rest : container.first))
        .join('')
      for (const container of this.#containers) container.isBegun = true
      this.#lines.push((prefix + line).trimEnd())
    }
    this.#gap = 'blank'
    this.#isItemBegun = false
  }

  beginOneLine(): void {
    this.#isOneLine = true
    this.#hasSpace = false
  }

  /** Returns the text since `beginOneLine`. */
  takeOneLine(): string {
    this.#isOneLine = false
    return this.#takeBody()
  }

  finish(): string {
    this.end('line')
    return this.#lines.length === 0 ? '' : `${this.#lines.join('\n')}\n`
  }

  #takeBody(): string {
    while (this.#pieces.at(-1) === this.#lineBreak) this.#pieces.pop()
    const kept = this.#marks.filter(({ isOnce, isWritten }) => !isOnce || !isWritten)
    this.#endMarks(this.#marks)
    this.#marks = kept
    const body = this.#pieces.join('')
    this.#pieces = []
    this.#hasSpace = false
    return body
  }

  #endMarks(marks: readonly Mark[]): void {
    for (const mark of marks.toReversed()) {
      if (mark.isWritten) this.#pieces.push(mark.after)
      mark.isWritten = false
    }
  }
}
