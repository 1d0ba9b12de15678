// The two derived forms of a record's data: what filters and sorts compare, and what full-text search reads.

import { storable } from '../tables/sql.js'

/** FTS5 refuses expressions deeper than 256; further words of a search are not looked at. */
const MAX_SEARCH_WORDS = 64

/**
 * The data as JSON for SQLite to take values out of. A NUL would end a text early and a lone surrogate is no text the
 * driver can read (it aborts the process), so both are replaced; the record itself is kept as it is elsewhere.
 */
export function fieldsOf(data: Record<string, unknown>): string {
  const json = JSON.stringify(data)
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return JSON.stringify(data, (_key, value: unknown) => (typeof value === 'string' ? readable(value) : value))
}

function readable(text: string): string {
  return storable(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
}

/** Every text and number in the data, a line each. */
export function textOf(data: Record<string, unknown>): string {
  const lines: string[] = []
  collectTexts(data, lines)
  return lines.join('\n')
}

function collectTexts(value: unknown, lines: string[]): void {
  if (typeof value === 'string') lines.push(storable(value))
  else if (typeof value === 'number') lines.push(String(value))
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collectTexts(inner, lines)
  }
}

/** One word that stands for a collection of a site, so that a search never walks the words of another. */
export function scopeOf(siteId: string, collectionId: string): string {
  return `${siteId}${collectionId}`.replaceAll('-', '')
}

/**
 * The FTS5 query for records that hold all words of `q`, the last as the beginning of a word; undefined when `q` is
 * blank. Each word is a quoted string (sqlite.org/fts5.html §3.1), so nothing in it is syntax.
 */
export function matchOf(siteId: string, collectionId: string, q: string): string | undefined {
  const words = q.replaceAll('\0', ' ').trim().split(/\s+/u)
  if (words[0] === '') return undefined
  const quoted = words.slice(0, MAX_SEARCH_WORDS).map((word) => `"${word.replaceAll('"', '""')}"`)
  return `scope : "${scopeOf(siteId, collectionId)}" AND text : (${quoted.join(' ')} *)`
}
