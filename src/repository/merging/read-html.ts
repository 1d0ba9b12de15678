// Reads HTML into the pieces of a merge, and notes how its elements lie in one another. Takes linear time.

import { Tokenizer } from 'htmlparser2'

/** Elements without an end tag (HTML §13.1.2). */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Elements whose end tag may be left out (HTML §13.1.2.4). */
const OPTIONAL_END = new Set(
  'html head body p li dt dd rt rp optgroup option colgroup caption thead tbody tfoot tr td th'.split(' '),
)

/** Elements that end an open one of their kind (HTML §13.2.6.4.7). */
const NOT_NESTED = new Set('a button form nobr'.split(' '))
/** Elements that end an open paragraph (HTML §13.1.2.4). */
const ENDS_PARAGRAPH = new Set(
  `address article aside blockquote details dialog div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main
   menu nav ol p pre search section table ul`.split(/\s+/),
)

/** A piece begins with one of these. The same characters may be a tag in one place and a text in another, as in a script. */
export const TAG = '<'
export const TEXT = '#'

/** The pieces of several documents, each kept once. */
export class Pieces {
  /** A piece with its mark has its place here as its number. */
  readonly known: string[] = []
  readonly #numbers = new Map<string, number>()

  numberOf(piece: string): number {
    const number = this.#numbers.get(piece)
    if (number !== undefined) return number
    this.#numbers.set(piece, this.known.length)
    return this.known.push(piece) - 1
  }
}

export interface HtmlReading {
  /** All of the document in order, by number: tags, comments and the like, and lines of texts. */
  pieces: number[]
  /**
   * How often each fault occurs. `</b>` is an end tag without its beginning, `<b>` an element that another one's end cut off. `<a><a>` is a
   * beginning that ends the element outside of it.
   */
  faults: Map<string, number>
  /** The pairs of an element and what lies directly in it: `ul li`, `li #text`. */
  pairs: Set<string>
}

/** Never throws. */
export function readHtml(html: string, pieces: Pieces): HtmlReading {
  return new HtmlReader(html, pieces).read()
}

class HtmlReader implements HtmlReading {
  readonly pieces: number[] = []
  readonly faults = new Map<string, number>()
  readonly pairs = new Set<string>()
  readonly #html: string
  readonly #all: Pieces
  readonly #open: string[] = []
  /** How many elements of each name are open. */
  readonly #counts = new Map<string, number>()
  /** The end of the last piece, and of the line that was looked for last: each is looked for once. */
  #at = 0
  #lineEnd = 0
  #name = ''

  constructor(html: string, all: Pieces) {
    this.#html = html
    this.#all = all
  }

  read(): HtmlReading {
    const html = this.#html
    const nothing = () => undefined
    const tokenizer = new Tokenizer(
      { decodeEntities: false },
      {
        onopentagname: (from, to) => {
          this.#take(TAG, from - 1)
          this.#name = html.slice(from, to).toLowerCase()
        },
        onopentagend: (end) => {
          this.#take(TAG, end + 1)
          this.#enter(this.#name)
        },
        onselfclosingtag: (end) => {
          this.#take(TAG, end + 1)
          this.#addPair(this.#name)
        },
        onclosetag: (from, to) => {
          this.#take(TAG, from - 2)
          const end = html.indexOf('>', to)
          this.#take(TAG, end === -1 ? html.length : end + 1)
          this.#leave(html.slice(from, to).toLowerCase())
        },
        ontext: (from, to) => this.#takeText(from, to),
        ontextentity: nothing,
        onattribname: nothing,
        onattribdata: nothing,
        onattribentity: nothing,
        onattribend: nothing,
        oncdata: (_from, end) => this.#take(TAG, end + 1),
        oncomment: (_from, end) => this.#take(TAG, end + 1),
        ondeclaration: (_from, end) => this.#take(TAG, end + 1),
        onprocessinginstruction: (_from, end) => this.#take(TAG, end + 1),
        onend: nothing,
      },
    )
    tokenizer.write(html)
    tokenizer.end()
    this.#take(TAG, html.length)
    while (this.#open.length > 0) this.#pop()
    return this
  }

  #take(mark: string, end: number): void {
    if (end <= this.#at) return
    this.pieces.push(this.#all.numberOf(mark + this.#html.slice(this.#at, end)))
    this.#at = end
  }

  /** Takes a text line by line. */
  #takeText(from: number, to: number): void {
    this.#take(TAG, from)
    if (this.#html.slice(from, to).trim() !== '') this.#addPair('#text')
    while (this.#at < to) {
      if (this.#lineEnd <= this.#at) this.#lineEnd = this.#html.indexOf('\n', this.#at) + 1 || this.#html.length
      this.#take(TEXT, Math.min(this.#lineEnd, to))
    }
  }

  #addPair(inner: string): void {
    this.pairs.add(`${this.#open.at(-1) ?? ''} ${inner}`)
  }

  #enter(name: string): void {
    this.#addPair(name)
    if (NOT_NESTED.has(name) && this.#isOpen(name)) this.#addFault(`<${name}><${name}>`)
    if (ENDS_PARAGRAPH.has(name) && this.#isOpen('p')) this.#addFault(`<p><${name}>`)
    if (VOID.has(name)) return
    this.#open.push(name)
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  #leave(name: string): void {
    if (!this.#isOpen(name)) return this.#addFault(`</${name}>`)
    while (this.#open.at(-1) !== name) this.#pop()
    this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1)
    this.#open.pop()
  }

  #isOpen(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0
  }

  /** Ends an element without its end tag. */
  #pop(): void {
    const name = this.#open.pop() ?? ''
    this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1)
    if (!OPTIONAL_END.has(name)) this.#addFault(`<${name}>`)
  }

  #addFault(fault: string): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1)
  }
}
