// Edits of a text by find-and-replace and by line ranges. All refer to the text as it was read, so no edit shifts another.

import { ServiceError } from '../../model/errors.js'

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
  const starts = edits.some(({ lines }) => lines !== undefined) ? lineStartsOf(text) : []
  for (const [index, edit] of edits.entries()) {
    const found = edit.find === undefined ? findLines(text, starts, edit) : findOnce(text, edit.find, edit.replace)
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
    edited += text.slice(from, start) + replacement
    from = end
  }
  return edited + text.slice(from)
}

/** The lines from `from` to `to` (counted from 1, both included) with their line feeds; `to` is at most the number of lines. */
export function sliceLines(text: string, range: string): { text: string; from: number; to: number; total: number } {
  const starts = lineStartsOf(text)
  const total = starts.length
  const [from, last] = readRange(range)
  const to = Math.min(last, total)
  const start = starts[from - 1] ?? text.length
  return { text: text.slice(start, Math.max(start, starts[to] ?? text.length)), from, to, total }
}

function findOnce(text: string, find: string, replace: string): Omit<Span, 'index'> | string {
  const start = text.indexOf(find)
  if (start < 0) return 'is not found: read the page again and copy the text exactly, white space included'
  if (text.includes(find, start + 1)) return 'is found more than once: include more of the surrounding text'
  return { start, end: start + find.length, text: replace }
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

/** `10-` ends at the last line. */
function readRange(range: string): [from: number, to: number] {
  const [from = '', to = ''] = range.split('-')
  return [Number(from), to === '' ? Infinity : Number(to)]
}

/** The offset of each line. A line feed at the end starts no further line. */
function lineStartsOf(text: string): number[] {
  const starts = text === '' ? [] : [0]
  for (let at = text.indexOf('\n'); at >= 0 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1)
  return starts
}

function fieldOf(index: number): string {
  return `/edits/${index}`
}

function notApplicable(errors: readonly EditError[]): ServiceError {
  const [first] = errors
  const number = first?.field.slice(fieldOf(0).length - 1)
  return new ServiceError('edit_not_applicable', `Nothing was changed: edit ${number} ${first?.message}.`, errors)
}
