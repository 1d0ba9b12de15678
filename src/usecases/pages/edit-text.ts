// Edits of a text: find-and-replace and ranges of lines, all about the text as it was read, so that none moves another.

import { ServiceError } from '../../model/errors.js'

/** `find` must occur exactly once; `lines` is `10-12`, counted from 1, both ends included. One of the two is given. */
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

/** Throws `edit_not_applicable` with every edit at fault; then none is made. */
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
      errors.push({ field: fieldOf(index), message: `changes what edit ${before.index} changes: join the two` })
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

/** The lines from `from` to `to` (counted from 1, both included) with their line feeds, and what there is of them. */
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
  if (start < 0) return 'finds nothing: read the page again and copy the text exactly, white space included'
  if (text.includes(find, start + 1)) return 'finds more than one place: give more of the text around the one you mean'
  return { start, end: start + find.length, text: replace }
}

/** Lines are replaced with their line feed, so the replacement keeps one at its end unless it is empty. */
function findLines(text: string, starts: readonly number[], edit: TextEdit): Omit<Span, 'index'> | string {
  const [from, to] = readRange(edit.lines ?? '')
  if (from > to) return `names no lines: write the first before the last`
  if (to > starts.length) return `names lines up to ${to}, and the page has ${starts.length}`
  const start = starts[from - 1] ?? text.length
  const end = starts[to] ?? text.length
  const needsFeed = edit.replace !== '' && !edit.replace.endsWith('\n') && text.slice(start, end).endsWith('\n')
  return { start, end, text: needsFeed ? `${edit.replace}\n` : edit.replace }
}

/** `10-` goes on to the end. */
function readRange(range: string): [from: number, to: number] {
  const [from = '', to = ''] = range.split('-')
  return [Number(from), to === '' ? Infinity : Number(to)]
}

/** Where each line begins. A line feed at the end begins no further line. */
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
