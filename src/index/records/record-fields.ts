// The forms of a record's data that filters and sorts compare. Each has a field at the place where the data has it, so that a schema may
// say at any time what a field is.

import { foldedText, sortKeyOf } from '../tables/sort-key.js'
import { storable } from '../tables/sql.js'
import { instantOf } from './instant.js'

// oxlint-disable-next-line no-control-regex -- a NUL is ASCII too
const ASCII = /^[\0-\x7f]*$/

/**
 * Returns the data as JSON for SQLite to take values out of. A NUL would end a text early, and a lone surrogate is no text. So both are
 * replaced here; the record itself is stored elsewhere unchanged.
 */
export function fieldsOf(data: Record<string, unknown>): string {
  const json = JSON.stringify(data)
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return JSON.stringify(data, (_key, value: unknown) => (typeof value === 'string' ? readable(value) : value))
}

/** Returns the instant of each text that is a date or a time, in milliseconds; null if no text begins like one. */
export function instantsOf(data: Record<string, unknown>): string | null {
  return /"\d{4}-\d\d-\d\d/.test(JSON.stringify(data)) ? mapTexts(data, instantOf) : null
}

/** Returns the key by which each text is sorted. */
export function sortKeysOf(data: Record<string, unknown>): string {
  return mapTexts(data, sortKeyOf)
}

/** Returns the data without case and accents, also in lists; null if it is all ASCII, whose case SQLite folds itself. */
export function foldedOf(data: Record<string, unknown>): string | null {
  const json = fieldsOf(data)
  if (ASCII.test(json)) return null
  return JSON.stringify(data, (_key, value: unknown) => (typeof value === 'string' ? foldedText(value) : value))
}

/** Returns JSON with another value for each text. Lists, and all that is no text, are left out: nothing sorts by an element of a list. */
function mapTexts(data: Record<string, unknown>, toValue: (text: string) => string | number | undefined): string {
  return JSON.stringify(data, (_key, value: unknown) => {
    if (typeof value === 'string') return toValue(value)
    return typeof value === 'object' && !Array.isArray(value) && value !== null ? value : undefined
  })
}

function readable(text: string): string {
  return storable(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
}
