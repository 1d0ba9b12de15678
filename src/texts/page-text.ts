// Extracts the text of an HTML document as its readers see it. Line 12 of the text shows the text of line 12 of the document. Its time
// grows only with the length: tags are read one by one, and their nesting is not tracked.

import { Tokenizer } from 'htmlparser2'

export interface PageText {
  /** As many lines as were read of the document; those that show nothing are blank. */
  text: string
  /** The text of all headings, with a space between two. */
  headings: string
}

/** The rest of a longer document is not read. */
const MAX_READ_CHARACTERS = 8 * 1024 * 1024
const MAX_TEXT_CHARACTERS = 1024 * 1024
const MAX_HEADING_CHARACTERS = 32 * 1024
/** Elements whose text is invisible. */
const HIDDEN = new Set(['script', 'style'])
const HEADING = /^h[1-6]$/
/** Elements that may stand within a word; any other one ends it. */
const WITHIN_WORDS = new Set(
  `a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var
   wbr`.split(/\s+/),
)

/** Returns the text. Never throws, also for malformed documents. */
export function pageTextOf(html: string): PageText {
  const reader = new TextReader(html.slice(0, MAX_READ_CHARACTERS))
  return reader.read()
}

class TextReader {
  readonly #html: string
  readonly #parts: string[] = []
  readonly #headings: string[] = []
  #length = 0
  #headingLength = 0
  /** The first line feed that is not in `#parts` yet. No stretch of the document is searched for one twice. */
  #lineFeed: number
  #hiddenIn = ''
  #isHeading = false

  constructor(html: string) {
    this.#html = html
    this.#lineFeed = this.#findLineFeed(0)
  }

  read(): PageText {
    const nothing = () => undefined
    const tokenizer = new Tokenizer(
      { decodeEntities: true },
      {
        ontext: (start, end) => this.#addText(start, end),
        ontextentity: (codePoint, end) => this.#addEntity(codePoint, end),
        onopentagname: (start, end) => this.#open(this.#nameAt(start, end)),
        onclosetag: (start, end) => this.#close(this.#nameAt(start, end)),
        onattribdata: nothing,
        onattribentity: nothing,
        onattribend: nothing,
        onattribname: nothing,
        oncdata: nothing,
        oncomment: nothing,
        ondeclaration: nothing,
        onend: nothing,
        onopentagend: nothing,
        onprocessinginstruction: nothing,
        onselfclosingtag: nothing,
      },
    )
    tokenizer.write(this.#html)
    tokenizer.end()
    return { text: this.#parts.join(''), headings: this.#headings.join('') }
  }

  #nameAt(start: number, end: number): string {
    return this.#html.slice(start, end).toLowerCase()
  }

  #open(name: string): void {
    if (HIDDEN.has(name)) this.#hiddenIn = name
    if (HEADING.test(name)) this.#isHeading = true
    this.#separate(name)
  }

  #close(name: string): void {
    if (name === this.#hiddenIn) this.#hiddenIn = ''
    this.#separate(name)
    if (HEADING.test(name)) this.#isHeading = false
  }

  #separate(name: string): void {
    if (!WITHIN_WORDS.has(name)) this.#add(' ')
  }

  #addText(start: number, end: number): void {
    if (this.#hiddenIn !== '') return
    this.#skipTo(start)
    this.#add(this.#html.slice(start, end))
    if (this.#lineFeed < end) this.#lineFeed = this.#findLineFeed(end)
  }

  /** Adds the character of an entity. A line feed that is written as an entity ends no line of the document. */
  #addEntity(codePoint: number, end: number): void {
    if (this.#hiddenIn !== '') return
    this.#skipTo(end)
    const text = String.fromCodePoint(codePoint)
    this.#add(text === '\n' ? ' ' : text)
  }

  /** Skips a part of the document, but keeps its line feeds. */
  #skipTo(index: number): void {
    while (this.#lineFeed < index) {
      this.#parts.push('\n')
      this.#lineFeed = this.#findLineFeed(this.#lineFeed + 1)
    }
  }

  /** Finds the next line feed; returns the length of the document if none follows. */
  #findLineFeed(from: number): number {
    const found = this.#html.indexOf('\n', from)
    return found === -1 ? this.#html.length : found
  }

  #add(text: string): void {
    if (this.#length >= MAX_TEXT_CHARACTERS) return
    this.#length += text.length
    this.#parts.push(text)
    if (!this.#isHeading || this.#headingLength >= MAX_HEADING_CHARACTERS) return
    this.#headingLength += text.length
    this.#headings.push(text)
  }
}
