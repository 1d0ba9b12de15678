// Finds the places of a text that edits replace: by text, by patterns, or by lines. Takes linear time for each pattern, and for all texts
// together.

import { lineAt, lineStartsOf, readRange } from '../model/text-parts.js'
import { findAll } from './find-all.js'
import { findPattern, findText, MAX_FOUND, type Span } from './find-places.js'

/** One edit. Exactly one of `find`, `pattern` and `lines` is given. */
export interface TextEdit {
  find?: string
  /** A pattern of ECMA-262, without parts that take more than linear time; `^` and `$` match at lines. */
  pattern?: string
  /** Lines such as `10-12`, counted from 1, both ends included. */
  lines?: string
  /** The replacement. For a pattern, `$1` to `$9` and `$&` stand for the match, `$$` for a dollar sign. */
  replace: string
  /** Times that it must be found. Default: once. */
  occurrences?: number | 'all'
}

/** Returns for each edit its places, or the reason why it cannot be made. With `mayMiss`, an edit of all occurrences may have none. */
export function placesOf(text: string, edits: readonly TextEdit[], mayMiss: boolean): (Span[] | string)[] {
  const starts = lineStartsOf(text)
  const isOnce = ({ find, occurrences }: TextEdit) => find !== undefined && occurrences === undefined
  const foundOnce = findOnce(
    text,
    starts,
    edits.map((edit) => (isOnce(edit) ? (edit.find ?? '') : '')),
  )
  return edits.map((edit, index) => {
    const { find, lines, replace, occurrences = 1 } = edit
    if (lines !== undefined) return findLines(text, starts, replace, lines)
    const once = isOnce(edit) ? foundOnce[index] : undefined
    if (once !== undefined) return typeof once === 'string' ? once : [{ ...once, text: replace }]
    const found = find === undefined ? findPattern(text, edit.pattern ?? '', replace) : findText(text, find, replace)
    if (found === undefined) return 'has a pattern that is not valid, or does not run in linear time'
    return countedAs(found, occurrences, mayMiss, starts)
  })
}

function countedAs(
  found: Span[],
  wanted: number | 'all',
  mayMiss: boolean,
  lineStarts: readonly number[],
): Span[] | string {
  if (found.length >= MAX_FOUND) return `is found more than ${MAX_FOUND} times`
  if (wanted === 'all' ? mayMiss || found.length > 0 : found.length === wanted) return found
  if (found.length === 0) return 'is not found'
  const places = found.slice(0, MAX_NAMED_LINES).map(({ start }) => lineAt(lineStarts, start))
  const more = found.length > MAX_NAMED_LINES ? ', …' : ''
  return `is found ${found.length} times, not ${wanted}, at lines ${places.join(', ')}${more}`
}

/** The most places that a refusal counts, and lines that it names. */
const MAX_PLACES = 1_000
const MAX_NAMED_LINES = 10
/** A longer text is not searched a second time. */
const MAX_HINT_CHARACTERS = 10_000

type Place = Pick<Span, 'start' | 'end'>

/** Returns the one place of each text, or the reason why there is none. Skips empty texts. */
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
  return `is not found: read it again and copy the text exactly${where}`
}

function foundOften(lineStarts: readonly number[], starts: readonly number[]): string {
  const lines = starts.slice(0, MAX_NAMED_LINES).map((at) => lineAt(lineStarts, at))
  const count = starts.length < MAX_PLACES ? String(starts.length) : `at least ${MAX_PLACES}`
  const more = starts.length > MAX_NAMED_LINES ? ', …' : ''
  return `is found ${count} times, at lines ${lines.join(', ')}${more}: include more of the surrounding text, or name lines`
}

/** Finds each of the texts, ignoring differences in white space. */
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

/** Finds the lines of a range. Line feeds belong to their lines, so a replacement that is not empty gets one at its end. */
function findLines(text: string, starts: readonly number[], replace: string, range: string): Span[] | string {
  const [from, to] = readRange(range)
  if (from > to) return `names no lines: write the first line before the last`
  if (to > starts.length) return `names line ${to}, but there are ${starts.length} lines`
  const start = starts[from - 1] ?? text.length
  const end = starts[to] ?? text.length
  const needsFeed = replace !== '' && !replace.endsWith('\n') && text.slice(start, end).endsWith('\n')
  return [{ start, end, text: needsFeed ? `${replace}\n` : replace }]
}
