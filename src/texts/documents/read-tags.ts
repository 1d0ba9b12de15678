// Reads the tags and texts of an HTML document in their order, with their offsets: in linear time, also for deep nesting.

import { Tokenizer } from 'htmlparser2'

export type Attributes = Readonly<Record<string, string>>

/** Names are in lower case; texts and values of attributes are decoded. */
export interface TagHandler {
  /** `start` is the offset of `<`, `end` the one after `>`. */
  open?: (name: string, attributes: Attributes, start: number, end: number) => void
  close?: (name: string, start: number) => void
  text?: (text: string) => void
}

/** Elements whose text is no text of the document. */
const UNREAD = new Set([
  'script',
  'style',
  'template',
  'svg',
  'math',
  'title',
  'iframe',
  'object',
  'textarea',
  'select',
])

/** Reads the tags. Leaves out elements without text of the document, with their contents. Never throws. */
export function readTags(html: string, { open, close, text }: TagHandler): void {
  let name = ''
  let start = 0
  let attributes: Record<string, string> = {}
  let attribute = ''
  let value = ''
  /** The open unread element, and the number of open ones of its name. */
  let unread = ''
  let depth = 0

  /** Text since the last tag: entities come one by one. */
  let pending = ''
  const flush = () => {
    if (pending !== '') text?.(pending)
    pending = ''
  }
  const enter = (end: number, isClosed: boolean) => {
    flush()
    if (unread === '') {
      if (UNREAD.has(name)) [unread, depth] = isClosed && name === 'svg' ? ['', 0] : [name, 1]
      else open?.(name, attributes, start, end)
    } else if (name === unread && !isClosed) depth += 1
  }
  const leave = (closed: string, at: number) => {
    flush()
    if (unread === '') close?.(closed, at)
    else if (closed === unread && --depth === 0) unread = ''
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(from, to) {
        name = html.slice(from, to).toLowerCase()
        start = from - 1
        attributes = Object.create(null) as Record<string, string>
      },
      onopentagend: (end) => enter(end + 1, false),
      onselfclosingtag: (end) => enter(end + 1, true),
      onclosetag: (from, to) => leave(html.slice(from, to).toLowerCase(), from - 2),
      onattribname(from, to) {
        attribute = html.slice(from, to).toLowerCase()
        value = ''
      },
      onattribdata: (from, to) => (value += html.slice(from, to)),
      onattribentity: (code) => (value += String.fromCodePoint(code)),
      onattribend: () => (attributes[attribute] ??= value),
      ontext(from, to) {
        if (unread === '') pending += html.slice(from, to)
      },
      ontextentity(code) {
        if (unread === '') pending += String.fromCodePoint(code)
      },
      oncdata: () => undefined,
      oncomment: () => undefined,
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  flush()
}
