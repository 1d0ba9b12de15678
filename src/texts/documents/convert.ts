// Converts an HTML document to Markdown (CommonMark with the tables of GFM) or to plain text, in one pass over its tags.
// Hidden elements and invisible characters are left out.

import { BlockWriter } from './block-writer.js'
import { readShownTags } from './hidden-part.js'
import { findLayoutTables } from './layout-tables.js'
import type { Attributes } from './read-tags.js'
import { MARKDOWN, PLAIN, type Style } from './styles.js'
import { withoutInvisible } from './invisible-characters.js'

export function toMarkdown(html: string): string {
  return new Converter(html, MARKDOWN).run()
}

/** Converts to plain text. Blank lines separate blocks; lists keep their marks, and tabs separate cells of a table. */
export function toText(html: string): string {
  return new Converter(html, PLAIN).run()
}

const BLOCKS = new Set(
  'address article aside body caption center details dialog div fieldset figcaption figure footer form header hgroup html legend main menu nav p section summary tr td th'.split(
    ' ',
  ),
)
const HEADING = /^h[1-6]$/
const MARKS: Readonly<Record<string, keyof Style['marks']>> = {
  b: 'strong',
  strong: 'strong',
  i: 'emphasis',
  em: 'emphasis',
  del: 'deleted',
  s: 'deleted',
}
const LISTS = ['ul', 'ol']

class Converter {
  readonly #html: string
  readonly #style: Style
  readonly #out: BlockWriter
  readonly #layoutTables: ReadonlySet<number>
  #tables = 0
  /** Whether each open table is for layout. */
  readonly #openTables: boolean[] = []
  #rows: string[][] = []
  #isInCell = false
  /** Open lists, with the number of the next item if they have numbers. */
  readonly #lists: { number: number | undefined; hasItems: boolean }[] = []
  /** Text of the open `pre` or `code`. */
  #verbatim: { name: 'pre' | 'code'; language: string; pieces: string[] } | undefined

  constructor(html: string, style: Style) {
    this.#html = html
    this.#style = style
    this.#out = new BlockWriter(style)
    this.#layoutTables = findLayoutTables(html)
  }

  run(): string {
    readShownTags(this.#html, {
      open: (name, attributes) => this.#open(name, attributes),
      close: (name) => this.#close(name),
      text: (text) => (this.#verbatim === undefined ? this.#out.text(text) : this.#verbatim.pieces.push(text)),
    })
    if (this.#verbatim !== undefined) this.#endVerbatim()
    while (this.#openTables.length > 0) this.#closeTable()
    return withoutInvisible(this.#out.finish())
  }

  #open(name: string, attributes: Attributes): void {
    const out = this.#out
    if (this.#verbatim !== undefined) {
      if (name === 'br') this.#verbatim.pieces.push('\n')
      if (name === 'code') this.#verbatim.language ||= languageOf(attributes)
      if (name === 'a' && attributes['href'] !== undefined)
        this.#interruptCode(() => this.#openLink(attributes['href']))
    } else if (HEADING.test(name)) {
      out.end('blank')
      if (!this.#isInCell) out.lead(this.#style.heading(Number(name[1])))
    } else if (name === 'a') {
      this.#openLink(attributes['href'])
    } else if (MARKS[name] !== undefined) {
      const mark = this.#style.marks[MARKS[name]]
      out.openMark(name, mark, mark)
    } else if (name === 'img') {
      const image = this.#style.image(attributes['alt'] ?? '', attributes['src'] ?? '')
      if (image !== '') out.written(image)
    } else if (name === 'pre' || name === 'code') {
      if (name === 'pre') out.end('blank')
      this.#verbatim = { name, language: languageOf(attributes), pieces: [] }
    } else if (name === 'br') out.break()
    else if (name === 'hr') {
      out.end('blank')
      if (!this.#isInCell) out.lines([this.#style.rule])
    } else this.#openContainer(name, attributes)
  }

  #openContainer(name: string, attributes: Attributes): void {
    const out = this.#out
    if (name === 'table') {
      this.#openTable()
    } else if (name === 'blockquote') {
      out.end('blank')
      out.openContainer(name, this.#style.quote, this.#style.quote)
    } else if (LISTS.includes(name)) {
      out.end(this.#lists.length > 0 ? 'line' : 'blank')
      out.openContainer(name, '', '')
      const number = name === 'ol' ? Number.parseInt(attributes['start'] ?? '1', 10) || 1 : undefined
      this.#lists.push({ number, hasItems: false })
    } else if (name === 'li') {
      out.end('line')
      out.closeContainer('li', LISTS)
      const list = this.#lists.at(-1) ?? { number: undefined, hasItems: false }
      const mark = list.number === undefined ? '- ' : `${list.number++}. `
      out.openContainer('li', mark, ' '.repeat(mark.length))
      out.beginItem(list.hasItems)
      list.hasItems = true
    } else if (name === 'dt' || name === 'dd') {
      out.end(name === 'dt' ? 'blank' : 'line')
      out.closeContainer('dd', ['dl'])
      if (name === 'dd') {
        out.openContainer('dd', this.#style.definition, '  ')
        out.beginItem(true)
      }
    } else if (name === 'dl') {
      out.end('blank')
      out.openContainer('dl', '', '')
    } else if (this.#openTables.at(-1) === false && (name === 'tr' || name === 'td' || name === 'th')) {
      this.#closeCell()
      if (name === 'tr') this.#rows.push([])
      else {
        if (this.#rows.length === 0) this.#rows.push([])
        this.#isInCell = true
        out.beginOneLine()
      }
    } else if (BLOCKS.has(name)) out.end('blank')
  }

  #close(name: string): void {
    const out = this.#out
    if (this.#verbatim !== undefined) {
      if (name === this.#verbatim.name) this.#endVerbatim()
      else if (name === 'a') this.#interruptCode(() => out.closeMark('a'))
    } else if (name === 'a' || MARKS[name] !== undefined) out.closeMark(name)
    else if (name === 'blockquote' || name === 'li' || name === 'dd' || name === 'dl') {
      out.end(name === 'li' ? 'line' : 'blank')
      out.closeContainer(name, name === 'li' ? LISTS : name === 'dd' ? ['dl'] : [])
    } else if (LISTS.includes(name)) {
      out.end('line')
      out.closeContainer(name)
      this.#lists.pop()
      out.end(this.#lists.length > 0 ? 'line' : 'blank')
    } else if (name === 'table') this.#closeTable()
    else if (this.#openTables.at(-1) === false && (name === 'td' || name === 'th' || name === 'tr')) this.#closeCell()
    else if (BLOCKS.has(name) || HEADING.test(name) || name === 'dt') out.end(name === 'dt' ? 'line' : 'blank')
  }

  /** Opens a link. A link inside a link ends the outer one, as in a browser. */
  #openLink(href: string | undefined): void {
    this.#out.closeMark('a')
    if (href !== undefined) this.#out.openMark('a', ...this.#style.link(href), true)
  }

  /** Puts a link around words of code, not into them; a block of code has no links. */
  #interruptCode(work: () => void): void {
    if (this.#verbatim?.name !== 'code') return
    this.#endVerbatim()
    work()
    this.#verbatim = { name: 'code', language: '', pieces: [] }
  }

  #endVerbatim(): void {
    const { name = 'code', language = '', pieces = [] } = this.#verbatim ?? {}
    this.#verbatim = undefined
    const text = pieces.join('')
    if (name === 'pre' && !this.#isInCell) {
      const lines = text.replaceAll('\r\n', '\n').replace(/^\n/, '').trimEnd().split('\n')
      if (lines.join('') !== '') this.#out.lines(this.#style.codeBlock(lines, language))
      return
    }
    const words = text.replaceAll(/\s+/g, ' ').trim()
    if (/^\s/.test(text)) this.#out.text(' ')
    if (words !== '') this.#out.written(this.#style.code(words))
    if (/\s$/.test(text)) this.#out.text(' ')
  }

  #openTable(): void {
    if (!this.#isInCell) this.#out.end('blank')
    const isLayout = this.#layoutTables.has(this.#tables++)
    this.#openTables.push(isLayout)
    if (!isLayout) this.#rows = []
  }

  #closeTable(): void {
    this.#closeCell()
    if (this.#openTables.pop() === false) {
      const rows = this.#rows.filter((row) => row.some((cell) => cell !== ''))
      if (rows.length > 0) this.#out.lines(this.#style.table(rows))
      this.#rows = []
    }
    this.#out.end('blank')
  }

  #closeCell(): void {
    if (!this.#isInCell) return
    this.#isInCell = false
    this.#rows.at(-1)?.push(this.#out.takeOneLine())
  }
}

function languageOf({ class: names = '' }: Attributes): string {
  return /(?:^|\s)lang(?:uage)?-([\w+#.-]{1,30})/.exec(names)?.[1] ?? ''
}
