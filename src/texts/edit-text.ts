// Edits of a text by find-and-replace and by line ranges. All refer to the text as it was read, so no edit shifts another.

import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../model/errors.js'
import { lineAt, lineStartsOf, readRange } from '../model/text-parts.js'
import { findAll } from './find-all.js'

/** `find` must occur exactly once; `lines` is `10-12`, counted from 1, both ends included. Exactly one of the two is given. */
export interface TextEdit {
  find?: string
  lines?: string
  replace: string
}

interface Span {
  index: number
  start: number
  end: number
  text: string
}

interface EditError {
  field: string
  message: string
}

/** The edits on a document. Throws `edit_not_applicable`. */
export function editHtml(html: Buffer, edits: readonly TextEdit[]): Uint8Array {
  if (isUtf8(html)) return Buffer.from(editText(html.toString(), edits))
  throw new ServiceError('edit_not_applicable', 'The page is not UTF-8, so its text cannot be edited: replace it.')
}

/** Takes linear time. Throws `edit_not_applicable` with every edit that cannot be applied; then none is. */
export function editText(text: string, edits: readonly TextEdit[]): string {
  const errors: EditError[] = []
  const spans: Span[] = []
  const fit = withLineEndsOf(text)
  const starts = lineStartsOf(text)
  const foundOnce = findOnce(
    text,
    starts,
    edits.map(({ find }) => (find === undefined ? '' : fit(find))),
  )
  for (const [index, edit] of edits.entries()) {
    const place = edit.find === undefined ? findLines(text, starts, edit) : foundOnce[index]
    const found = typeof place === 'object' ? { text: edit.replace, ...place } : (place ?? '')
    if (typeof found === 'string') errors.push({ field: fieldOf(index), message: found })
    else spans.push({ index, ...found })
  }
  spans.sort((a, b) => a.start - b.start || a.index - b.index)
  for (const [at, { index, start }] of spans.entries()) {
    const before = spans[at - 1]
    if (before !== undefined && before.end > start) {
      errors.push({ field: fieldOf(index), message: `overlaps edit ${before.index}: combine the two` })
    }
  }
  if (errors.length > 0) throw notApplicable(errors)
  let edited = ''
  let from = 0
  for (const { start, end, text: replacement } of spans) {
    edited += text.slice(from, start) + fit(replacement)
    from = end
  }
  return edited + text.slice(from)
}

/** How many places a refusal counts, and how many lines it names. */
const MAX_PLACES = 1_000
const MAX_NAMED_LINES = 10
/** A longer text is not looked for a second time. */
const MAX_HINT_CHARACTERS = 10_000

type Place = Pick<Span, 'start' | 'end'>

/** The one place of each text, or why there is none. Empty texts are passed over. */
function findOnce(text: string, lineStarts: readonly number[], finds: readonly string[]): (Place | string)[] {
  const places = findAll(text, finds, MAX_PLACES)
  const lost = finds.map((find, index) =>
    places[index]?.length === 0 && find.length <= MAX_HINT_CHARACTERS ? find : '',
  )
  const hints = lost.some((find) => find !== '') ? findLoosely(text, lost) : []
  return finds.map((find, index) => {
    const [start, other] = places[index] ?? []
    if (start === undefined) return notFound(lineStarts, hints[index])
    if (other === undefined) return { start, end: start + find.length }
    return foundOften(lineStarts, places[index] ?? [])
  })
}

function notFound(lineStarts: readonly number[], hint: number | undefined): string {
  const where = hint === undefined ? '' : `: line ${lineAt(lineStarts, hint)} has it with other white space`
  return `is not found: read the page again and copy the text exactly${where}`
}

function foundOften(lineStarts: readonly number[], starts: readonly number[]): string {
  const lines = starts.slice(0, MAX_NAMED_LINES).map((at) => lineAt(lineStarts, at))
  const count = starts.length < MAX_PLACES ? String(starts.length) : `at least ${MAX_PLACES}`
  const more = starts.length > MAX_NAMED_LINES ? ', …' : ''
  return `is found ${count} times, at lines ${lines.join(', ')}${more}: include more of the surrounding text, or name lines`
}

/** Where each of the texts is, but for its white space. */
function findLoosely(text: string, finds: readonly string[]): (number | undefined)[] {
  const words: string[] = []
  const wordStarts: number[] = []
  const joinedStarts: number[] = []
  let joinedLength = 0
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    words.push(word)
    wordStarts.push(index)
    joinedStarts.push(joinedLength)
    joinedLength += word.length + 1
  }
  const loose = finds.map((find) => find.trim().split(/\s+/).join(' '))
  return findAll(words.join(' '), loose, 1).map(([at]) => {
    if (at === undefined) return undefined
    const word = lineAt(joinedStarts, at) - 1
    return (wordStarts[word] ?? 0) + at - (joinedStarts[word] ?? 0)
  })
}

/** Gives what a client sent the line ends of the page, where the page has one kind only. */
function withLineEndsOf(text: string): (sent: string) => string {
  let kind: string | undefined
  return (sent) => {
    if (!sent.includes('\n')) return sent
    kind ??= lineEndOf(text)
    return kind === '' ? sent : sent.replace(/\r?\n/g, kind)
  }
}

/** Empty where the text has none, or both. */
function lineEndOf(text: string): '\r\n' | '\n' | '' {
  let [feeds, pairs] = [0, 0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    feeds++
    if (text.charCodeAt(at - 1) === 0x0d) pairs++
  }
  return feeds === 0 ? '' : pairs === feeds ? '\r\n' : pairs === 0 ? '\n' : ''
}

/** Line feeds belong to their lines, so a replacement that is not empty gets one at its end. */
function findLines(text: string, starts: readonly number[], edit: TextEdit): Omit<Span, 'index'> | string {
  const [from, to] = readRange(edit.lines ?? '')
  if (from > to) return `names no lines: write the first line before the last`
  if (to > starts.length) return `names line ${to}, but the page has ${starts.length} lines`
  const start = starts[from - 1] ?? text.length
  const end = starts[to] ?? text.length
  const needsFeed = edit.replace !== '' && !edit.replace.endsWith('\n') && text.slice(start, end).endsWith('\n')
  return { start, end, text: needsFeed ? `${edit.replace}\n` : edit.replace }
}

function fieldOf(index: number): string {
  return `/edits/${index}`
}

function notApplicable(errors: readonly EditError[]): ServiceError {
  const [first] = errors
  const number = first?.field.slice(fieldOf(0).length - 1)
  return new ServiceError('edit_not_applicable', `Nothing was changed: edit ${number} ${first?.message}.`, errors)
}
