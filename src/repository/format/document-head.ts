// Reads the head of an HTML document: its title, what it forbids robots, and its canonical URL. Tags are read one by one, so the time
// grows only with the length that is read.

import { Tokenizer } from 'htmlparser2'
import { type DocumentHead, NO_HEAD } from '../../model/commits/facts.js'

/** A longer stored document is not read for its head. The HTML of a write through the API always is. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024
/** A real head is in these bytes; later ones are not read. */
const LOOKED_AT_BYTES = 64 * 1024
const MAX_TITLE_CHARACTERS = 255
/** A longer URL is left out: its beginning would be another URL. */
const MAX_CANONICAL_CHARACTERS = 2_048

/** Elements that a head may hold. Any other one begins the body (HTML §13.2.6.4.4, "in head"). */
const HEAD_ELEMENTS = new Set(
  'html head base basefont bgsound link meta title style script noscript noframes template'.split(' '),
)
/** Elements whose content is no part of the document: it is for browsers without scripts, for scripts, or a drawing with its own titles. */
const LEFT_OUT = new Set(['noscript', 'template', 'svg'])
/** Elements of a head whose text does not begin the body. */
const RAW_TEXT = new Set(['script', 'style', 'noframes'])
/** The elements that are read, with their attributes. */
const READ: ReadonlyMap<string, readonly string[]> = new Map([
  ['meta', ['name', 'content']],
  ['link', ['rel', 'href']],
  ['base', ['href']],
])
const FORBIDDEN = ['noindex', 'nofollow', 'noarchive', 'nosnippet'] as const

/**
 * Returns the head. The title is the text of the first `<title>` that begins in the first 64 KiB; null if it is missing or blank. White
 * space is collapsed, and 255 characters (Unicode code points) are kept. `robots` and `canonical` count only before the body, as for search
 * engines. Never throws, for any bytes.
 */
export function readHead(html: Uint8Array): DocumentHead {
  const start = new TextDecoder().decode(html.subarray(0, LOOKED_AT_BYTES))
  // Reading 64 KiB takes 0.6 ms, searching them 0.1 ms.
  const wantsTitle = /<title/i.test(start)
  const wantsRules = /robots|googlebot|canonical/i.test(start)
  return wantsTitle || wantsRules ? new HeadReader(start, wantsTitle, wantsRules).read() : NO_HEAD
}

class HeadReader {
  readonly #html: string
  readonly #tokenizer: Tokenizer
  #wantsTitle: boolean
  /** Whether robots and canonical are still looked for. */
  #wantsRules: boolean
  #title = ''
  readonly #forbidden = new Set<string>()
  readonly #canonicals = new Set<string>()
  #hasBase = false

  /** The element that was opened last, until a tag closes. */
  #element = ''
  /** An element that is left out, and how many of its name are open. */
  #leftOut = { name: '', depth: 0 }
  #attributes = new Map<string, string>()
  #attribute = ''

  constructor(html: string, wantsTitle: boolean, wantsRules: boolean) {
    this.#html = html
    this.#wantsTitle = wantsTitle
    this.#wantsRules = wantsRules
    const nothing = () => undefined
    this.#tokenizer = new Tokenizer(
      { decodeEntities: true },
      {
        onopentagname: (from, to) => this.#open(html.slice(from, to).toLowerCase()),
        onattribname: (from, to) => this.#startAttribute(() => html.slice(from, to).toLowerCase()),
        onattribdata: (from, to) => this.#addValue(() => html.slice(from, to)),
        onattribentity: (codePoint) => this.#addValue(() => String.fromCodePoint(codePoint)),
        onattribend: nothing,
        onopentagend: () => this.#takeTag(),
        onselfclosingtag: () => {
          this.#takeTag()
          if (this.#element === 'svg') this.#close('svg')
        },
        onclosetag: (from, to) => this.#close(html.slice(from, to).toLowerCase()),
        ontext: (from, to) => this.#addText(() => html.slice(from, to)),
        ontextentity: (codePoint) => this.#addText(() => String.fromCodePoint(codePoint)),
        oncdata: nothing,
        oncomment: nothing,
        ondeclaration: nothing,
        onprocessinginstruction: nothing,
        onend: nothing,
      },
    )
  }

  read(): DocumentHead {
    this.#tokenizer.write(this.#html)
    this.#tokenizer.end()
    return { title: titleOf(this.#title), robots: this.#robots(), canonical: this.#canonical() }
  }

  #open(name: string): void {
    this.#element = name
    this.#attributes.clear()
    if (this.#leftOut.depth > 0) {
      if (name === this.#leftOut.name) this.#leftOut.depth += 1
      return
    }
    if (LEFT_OUT.has(name)) this.#leftOut = { name, depth: 1 }
    if (!HEAD_ELEMENTS.has(name)) this.#endHead()
  }

  #close(name: string): void {
    if (this.#leftOut.depth > 0 && name === this.#leftOut.name) this.#leftOut.depth -= 1
    if (name === 'title' && this.#element === 'title' && this.#leftOut.depth === 0) {
      this.#wantsTitle = false
      this.#pauseIfDone()
    }
    this.#element = ''
  }

  #addText(read: () => string): void {
    if (this.#leftOut.depth > 0 || RAW_TEXT.has(this.#element)) return
    if (this.#element === 'title') {
      if (this.#wantsTitle) this.#title += read()
    } else if (this.#wantsRules && read().trim() !== '') this.#endHead()
  }

  #startAttribute(read: () => string): void {
    const wanted = this.#wantsRules ? READ.get(this.#element) : undefined
    const name = wanted === undefined ? '' : read()
    // If an attribute occurs twice, the first one counts.
    this.#attribute = wanted?.includes(name) === true && !this.#attributes.has(name) ? name : ''
    if (this.#attribute !== '') this.#attributes.set(name, '')
  }

  #addValue(read: () => string): void {
    if (this.#attribute === '') return
    this.#attributes.set(this.#attribute, (this.#attributes.get(this.#attribute) ?? '') + read())
  }

  #takeTag(): void {
    if (!this.#wantsRules || this.#leftOut.depth > 0) return
    const valueOf = (name: string) => this.#attributes.get(name) ?? ''
    if (this.#element === 'base' && this.#attributes.has('href')) this.#hasBase = true
    if (this.#element === 'meta' && /^\s*(?:robots|googlebot)\s*$/i.test(valueOf('name')))
      this.#forbid(valueOf('content'))
    if (this.#element === 'link' && wordsOf(valueOf('rel')).includes('canonical')) {
      this.#canonicals.add(valueOf('href').trim())
    }
  }

  #forbid(content: string): void {
    for (const word of wordsOf(content)) {
      if (word === 'none') this.#forbidden.add('noindex').add('nofollow')
      else this.#forbidden.add(word)
    }
  }

  #endHead(): void {
    this.#wantsRules = false
    this.#pauseIfDone()
  }

  #pauseIfDone(): void {
    if (!this.#wantsTitle && !this.#wantsRules) this.#tokenizer.pause()
  }

  #robots(): string | null {
    return FORBIDDEN.filter((word) => this.#forbidden.has(word)).join(' ') || null
  }

  /** Returns null also for several different URLs, which search engines ignore, and for one that is relative to a `<base>`. */
  #canonical(): string | null {
    const [url = '', other] = this.#canonicals
    if (url === '' || other !== undefined || url.length > MAX_CANONICAL_CHARACTERS) return null
    // A copy. A part of the document's text would keep all of it in memory.
    return this.#hasBase && !URL.canParse(url) ? null : Buffer.from(url).toString()
  }
}

function titleOf(text: string): string | null {
  const title = text.replaceAll(/\s+/gu, ' ').trim()
  return title === '' ? null : Array.from(title).slice(0, MAX_TITLE_CHARACTERS).join('').trimEnd()
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/[\s,]+/u)
}
