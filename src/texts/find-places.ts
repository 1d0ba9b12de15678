// Finds every place of a text, or of a pattern, in one text. Takes linear time.

import { RE2JS } from 're2js'
import { lineAt, lineStartsOf } from '../model/text-parts.js'
import { compilePattern } from './linear-pattern.js'

/** A place, by UTF-16 units, the end past the last one; and the text that an edit puts there. */
export interface Span {
  start: number
  end: number
  text: string
}

/** The search stops after so many places. */
export const MAX_FOUND = 100_000

/** Returns the places of a text; none overlaps another. */
export function findText(text: string, find: string, replace = ''): Span[] {
  const found: Span[] = []
  for (let at = text.indexOf(find); at >= 0 && found.length < MAX_FOUND; at = text.indexOf(find, at + find.length))
    found.push({ start: at, end: at + find.length, text: replace })
  return found
}

/**
 * Returns the places of a pattern, in which `^` and `$` match at lines. Empty matches are left out. `$1` to `$9` and `$&` in `replace`
 * stand for the match. Undefined if the pattern is not valid, or does not run in linear time.
 */
export function findPattern(text: string, pattern: string, replace = ''): Span[] | undefined {
  let matcher
  try {
    matcher = compilePattern(pattern, RE2JS.MULTILINE).matcher(text)
  } catch {
    return undefined
  }
  const found: Span[] = []
  while (found.length < MAX_FOUND && matcher.find()) {
    const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? '')
    const filled = replace.replace(/\$([$&1-9])/g, (_, what: string) =>
      what === '$' ? '$' : (groups[what === '&' ? 0 : Number(what)] ?? ''),
    )
    if (matcher.end() > matcher.start()) found.push({ start: matcher.start(), end: matcher.end(), text: filled })
  }
  return found
}

/** The places of a text or pattern, as answers show them. */
export interface Matches {
  /** Number of places, at most 100,000. */
  count: number
  /** The first 50 places. */
  places: Match[]
}

export interface Match {
  /** The line of its beginning, from 1. */
  line: number
  /** Its first and last character (UTF-16 code units), from 1. */
  from: number
  to: number
  /** The beginning of the match and of the rest of its line, and a little of the text before it. */
  text: string
}

const MAX_SHOWN = 50
const MAX_LEAD_CHARACTERS = 40
const MAX_SHOWN_CHARACTERS = 160

export function showMatches(text: string, found: readonly Span[]): Matches {
  const starts = lineStartsOf(text)
  const places = found.slice(0, MAX_SHOWN).map(({ start, end }) => {
    const line = lineAt(starts, start)
    const first = Math.max(starts[line - 1] ?? 0, start - MAX_LEAD_CHARACTERS)
    // A match may reach over several lines: the shown text ends with the last of them.
    const feed = text.indexOf('\n', Math.max(start, end - 1))
    const last = Math.min(feed < 0 ? text.length : feed, first + MAX_SHOWN_CHARACTERS)
    return { line, from: start + 1, to: end, text: text.slice(first, last).trim() }
  })
  return { count: found.length, places }
}
