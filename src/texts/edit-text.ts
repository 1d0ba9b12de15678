// Edits a text by find-and-replace, by patterns and by line ranges. All edits refer to the text as it was read, so no edit shifts another.

import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../model/errors.js'
import { placesOf, type TextEdit } from './edit-places.js'
import type { Span } from './find-places.js'

interface EditError {
  field: string
  message: string
}

/** Makes the edits on a document. Throws `edit_not_applicable`. */
export function editHtml(html: Buffer, edits: readonly TextEdit[]): Uint8Array {
  return Buffer.from(editText(textOf(html), edits))
}

/** Makes the edits on one document of many, and counts the replaced places. An edit of all occurrences may have none. */
export function editOneOfMany(html: Buffer, edits: readonly TextEdit[]): { html: Uint8Array; replaced: number } {
  const { text, replaced } = replaceIn(textOf(html), edits, true)
  return { html: Buffer.from(text), replaced }
}

/**
 * Makes all edits or none. Throws `edit_not_applicable` with every edit that cannot be applied, and `invalid_body` for a malformed edit.
 */
export function editText(text: string, edits: readonly TextEdit[]): string {
  return replaceIn(text, edits, false).text
}

function textOf(html: Buffer): string {
  if (isUtf8(html)) return html.toString()
  throw new ServiceError('edit_not_applicable', 'The page is not UTF-8, so its text cannot be edited: replace it.')
}

function replaceIn(text: string, edits: readonly TextEdit[], mayMiss: boolean): { text: string; replaced: number } {
  for (const [index, edit] of edits.entries()) checkForm(edit, index)
  const errors: EditError[] = []
  const spans: (Span & { index: number })[] = []
  const fit = withLineEndsOf(text)
  const fitting = edits.map((edit) => (edit.find === undefined ? edit : { ...edit, find: fit(edit.find) }))
  for (const [index, found] of placesOf(text, fitting, mayMiss).entries()) {
    if (typeof found === 'string') errors.push({ field: fieldOf(index), message: found })
    else for (const span of found) spans.push({ index, ...span })
  }
  spans.sort((a, b) => a.start - b.start || a.index - b.index)
  errors.push(...findOverlaps(spans))
  if (errors.length > 0) throw notApplicable(errors)
  const parts: string[] = []
  let from = 0
  for (const { start, end, text: replacement } of spans) {
    parts.push(text.slice(from, start), fit(replacement))
    from = end
  }
  return { text: parts.join('') + text.slice(from), replaced: spans.length }
}

/** Throws `invalid_body` for a malformed edit. */
function checkForm({ find, pattern, lines, occurrences }: TextEdit, index: number): void {
  const given = [find, pattern, lines].filter((value) => value !== undefined).length
  if (given === 1 && (lines === undefined || occurrences === undefined)) return
  const message = 'must have one of find, pattern and lines, and no occurrences with lines'
  throw new ServiceError('invalid_body', `Edit ${index} ${message}.`, [{ field: fieldOf(index), message }])
}

/** Returns each edit that overlaps another, once. `spans` are in the order of the text. */
function findOverlaps(spans: readonly (Span & { index: number })[]): EditError[] {
  const overlapping = new Map<number, number>()
  for (const [at, { index, start }] of spans.entries()) {
    const before = spans[at - 1]
    if (before !== undefined && before.end > start && !overlapping.has(index)) overlapping.set(index, before.index)
  }
  return Array.from(overlapping, ([index, other]) => ({
    field: fieldOf(index),
    message: `overlaps edit ${other}: combine the two`,
  }))
}

/** Gives a text of the client the line ends of the edited text, if that has only one kind. */
function withLineEndsOf(text: string): (sent: string) => string {
  let kind: string | undefined
  return (sent) => {
    if (!sent.includes('\n')) return sent
    kind ??= lineEndOf(text)
    return kind === '' ? sent : sent.replace(/\r?\n/g, kind)
  }
}

/** Returns the line end of the text; empty if it has none, or both. */
function lineEndOf(text: string): '\r\n' | '\n' | '' {
  let [feeds, pairs] = [0, 0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    feeds++
    if (text.charCodeAt(at - 1) === 0x0d) pairs++
  }
  return feeds === 0 ? '' : pairs === feeds ? '\r\n' : pairs === 0 ? '\n' : ''
}

function fieldOf(index: number): string {
  return `/edits/${index}`
}

function notApplicable(errors: readonly EditError[]): ServiceError {
  const [first] = errors
  const number = first?.field.slice(fieldOf(0).length - 1)
  return new ServiceError('edit_not_applicable', `Nothing was changed: edit ${number} ${first?.message}.`, errors)
}
