// Edits of a text by find-and-replace and by line ranges. All refer to the text as it was read, so no edit shifts another.

import { ServiceError } from '../model/errors.js'
import { lineAt, lineStartsOf, readRange } from '../model/text-parts.js'

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

/** Throws `edit_not_applicable` with every edit that cannot be applied; then none is. */
export function editText(text: string, edits: readonly TextEdit[]): string {
  const errors: EditError[] = []
  const spans: Span[] = []
  const fit = withLineEndsOf(text)
  const starts = edits.some(({ lines }) => lines !== undefined) ? lineStartsOf(text) : []
  for (const [index, edit] of edits.entries()) {
    const found = edit.find === undefined ? findLines(text, starts, edit) : findOnce(text, fit(edit.find), edit.replace)
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

function findOnce(text: string, find: string, replace: string): Omit<Span, 'index'> | string {
  const starts: number[] = []
  for (let at = text.indexOf(find); at >= 0 && starts.length < MAX_PLACES; at = text.indexOf(find, at + 1))
    starts.push(at)
  const [start, other] = starts
  if (start === undefined) return `is not found: read the page again and copy the text exactly${hintAt(text, find)}`
  if (other === undefined) return { start, end: start + find.length, text: replace }
  const lineStarts = lineStartsOf(text)
  const lines = starts.slice(0, MAX_NAMED_LINES).map((at) => lineAt(lineStarts, at))
  const count = starts.length < MAX_PLACES ? String(starts.length) : `at least ${MAX_PLACES}`
  const more = starts.length > MAX_NAMED_LINES ? ', …' : ''
  return `is found ${count} times, at lines ${lines.join(', ')}${more}: include more of the surrounding text, or name lines`
}

/** Where the text is, but for its white space. */
function hintAt(text: string, find: string): string {
  const words = find.trim().split(/\s+/)
  const start =
    words[0] === '' || find.length > MAX_HINT_CHARACTERS ? -1 : text.search(new RegExp(words.map(escape).join('\\s+')))
  return start < 0 ? '' : `: line ${lineAt(lineStartsOf(text), start)} has it with other white space`
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
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
