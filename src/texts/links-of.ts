// Finds the links of a document to its own site.

import { QuoteType, Tokenizer } from 'htmlparser2'
import { addressesInCss, addressesInSrcset } from './many-addresses.js'

/** Bytes of one page that are parsed for links. */
const MAX_PARSED_BYTES = 1024 * 1024
/** The most addresses of one page that are looked at. */
const MAX_ADDRESSES = 5_000
/** The attributes that hold addresses, with their elements: those of HTML and SVG. */
const ADDRESSES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['href', wordsOf('a area link base image use feimage script')],
  ['xlink:href', wordsOf('a image use feimage script')],
  ['src', wordsOf('img source video audio track iframe frame embed input script')],
  ['srcset', wordsOf('img source')],
  ['imagesrcset', wordsOf('link')],
  ['poster', wordsOf('video')],
  ['data', wordsOf('object')],
  ['background', wordsOf('body table thead tbody tfoot tr td th')],
])

export interface Links {
  /** Paths of URLs, each once, with the character position of the first link to it. */
  paths: Map<string, number>
  /** The part of the page that was read. */
  text: string
  /** False if the page is longer, or has more addresses, than are looked at. */
  isComplete: boolean
}

/**
 * Returns the paths within the site that a document at `pagePath` links to: HTML, or a drawing in SVG. The time is linear in its length,
 * also for deep nesting.
 */
export function linksOf(html: Uint8Array, pagePath: string): Links {
  return linksIn(html, pagePath, (text) => new AddressReader(text).read())
}

/** Does the same for a style sheet. */
export function linksOfCss(css: Uint8Array, pagePath: string): Links {
  return linksIn(css, pagePath, (text) => {
    const found = new FoundAddresses()
    for (const { address, at } of addressesInCss(text)) if (!found.add(address, at)) break
    return found
  })
}

function linksIn(document: Uint8Array, pagePath: string, read: (text: string) => FoundAddresses): Links {
  const page = new URL(pagePath, 'http://site.invalid')
  const text = new TextDecoder().decode(document.subarray(0, MAX_PARSED_BYTES))
  const { all, base, isComplete } = read(text)
  const origin = baseOf(base, page)
  const paths = new Map<string, number>()
  for (const [address, at] of all) {
    const url = toUrl(address, origin)
    if (url?.origin === page.origin && !paths.has(url.pathname)) paths.set(url.pathname, at)
  }
  return { paths, text, isComplete: isComplete && document.length <= MAX_PARSED_BYTES }
}

/** A text of a document that holds addresses, as it is written: of an attribute, or of a style sheet. */
export interface AddressText {
  kind: 'address' | 'base' | 'srcset' | 'css'
  start: number
  end: number
  /** The text with its character references replaced. */
  text: string
}

/** Lists every text of a document that holds addresses, with the `href` of its first `base` element. */
export function addressTextsOf(html: string): { texts: AddressText[]; base: string | undefined } {
  const texts: AddressText[] = []
  const { base } = new AddressReader(html, (text) => texts.push(text)).read()
  return { texts, base }
}

/** Returns the URL that addresses are relative to (HTML §4.2.3). */
export function baseOf(base: string | undefined, page: URL): URL {
  const url = base === undefined ? undefined : toUrl(base, page)
  return url === undefined || url.protocol === 'data:' || url.protocol === 'javascript:' ? page : url
}

export function toUrl(address: string, page: URL): URL | undefined {
  try {
    return new URL(address, page)
  } catch {
    return undefined
  }
}

class FoundAddresses {
  /** Addresses as they are written, with the position of the first. */
  readonly all = new Map<string, number>()
  /** The `href` of the first `base` element that has one. */
  base: string | undefined
  isComplete = true
  readonly #most: number

  constructor(most = MAX_ADDRESSES) {
    this.#most = most
  }

  /** Returns false if no more addresses are taken. */
  add(address: string, at: number): boolean {
    if (!this.all.has(address)) this.all.set(address, at)
    if (this.all.size >= this.#most) this.isComplete = false
    return this.isComplete
  }
}

/**
 * Finds the addresses by the tokenizer alone: the parser's stack of open elements takes quadratic time on deep nesting, and links need
 * none.
 */
class AddressReader {
  readonly #html: string
  readonly #tokenizer: Tokenizer
  readonly #found: FoundAddresses
  readonly #tell: ((text: AddressText) => void) | undefined
  #element = ''
  /** Attributes of the element that were read. If an attribute occurs twice, the first one counts. */
  #read: string[] = []
  /** The attribute being read; empty if it holds no address. */
  #attribute = ''
  #value = ''
  #startsAt = 0
  /** Position at which the text of a style sheet begins. */
  #styleAt: number | undefined

  /** With `tell`, all of the document is read. */
  constructor(html: string, tell?: (text: AddressText) => void) {
    this.#html = html
    this.#tell = tell
    this.#found = new FoundAddresses(tell && Number.POSITIVE_INFINITY)
    const nothing = () => undefined
    this.#tokenizer = new Tokenizer(
      { decodeEntities: true },
      {
        onopentagname: (start, end) => this.#open(html.slice(start, end).toLowerCase()),
        onattribname: (start, end) => this.#startAttribute(html.slice(start, end).toLowerCase(), start),
        onattribdata: (start, end) => void (this.#attribute !== '' && (this.#value += html.slice(start, end))),
        onattribentity: (point) => void (this.#attribute !== '' && (this.#value += String.fromCodePoint(point))),
        onattribend: (quote, end) => this.#endAttribute(quote, end),
        onopentagend: (end) => void (this.#element === 'style' && (this.#styleAt = end + 1)),
        onclosetag: (start) => this.#endStyle(start - '</'.length),
        onselfclosingtag: nothing,
        ontext: nothing,
        ontextentity: nothing,
        oncdata: nothing,
        oncomment: nothing,
        ondeclaration: nothing,
        onprocessinginstruction: nothing,
        onend: nothing,
      },
    )
  }

  read(): FoundAddresses {
    this.#tokenizer.write(this.#html)
    this.#tokenizer.end()
    this.#endStyle(this.#html.length)
    return this.#found
  }

  #open(name: string): void {
    this.#element = name
    this.#read = []
  }

  #startAttribute(name: string, at: number): void {
    const isWanted = name === 'style' || ADDRESSES.get(name)?.has(this.#element) === true
    this.#attribute = isWanted && !this.#read.includes(name) ? name : ''
    this.#value = ''
    this.#startsAt = at
  }

  #endAttribute(quote: QuoteType, end: number): void {
    const [name, value] = [this.#attribute, this.#value]
    if (name === '') return
    this.#attribute = ''
    this.#read.push(name)
    if (this.#tell !== undefined && quote !== QuoteType.NoValue) this.#tell(this.#textOf(name, value, quote, end))
    if (name === 'style') this.#addCss(value, this.#startsAt, false)
    else if (this.#element === 'base') this.#found.base ??= value
    else if (name.endsWith('srcset')) for (const address of addressesInSrcset(value)) this.#add(address)
    else if (quote !== QuoteType.NoValue && !this.#isOwnPart(value)) this.#add(value)
  }

  #textOf(name: string, text: string, quote: QuoteType, end: number): AddressText {
    const before = /[^=]*=\s*["']?/y
    before.lastIndex = this.#startsAt
    before.test(this.#html)
    const kind = name === 'style' ? 'css' : name.endsWith('srcset') ? 'srcset' : 'address'
    return {
      kind: this.#element === 'base' ? 'base' : kind,
      start: before.lastIndex,
      end: quote === QuoteType.Unquoted ? end : end - 1,
      text,
    }
  }

  /** Whether an address means a part of the document itself: that of a drawing in it does, whatever the base. */
  #isOwnPart(address: string): boolean {
    return address.startsWith('#') && this.#element !== 'a' && this.#element !== 'area'
  }

  #endStyle(end: number): void {
    const start = this.#styleAt
    if (start !== undefined) this.#tell?.({ kind: 'css', start, end, text: this.#html.slice(start, end) })
    if (this.#styleAt !== undefined) this.#addCss(this.#html.slice(this.#styleAt, end), this.#styleAt, true)
    this.#styleAt = undefined
  }

  /** `isSource`: positions in the text are positions in the document. */
  #addCss(css: string, start: number, isSource: boolean): void {
    for (const { address, at } of addressesInCss(css)) this.#add(address, isSource ? start + at : start)
  }

  #add(address: string, at = this.#startsAt): void {
    if (!this.#found.isComplete || this.#found.add(address, at)) return
    this.#tokenizer.pause()
  }
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
