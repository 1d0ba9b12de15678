// The form of a record's data that filters and sorts compare.

import { storable } from '../tables/sql.js'

/**
 * Returns the data as JSON for SQLite to take values out of. A NUL would end a text early, and a lone surrogate aborts the process in
 * the driver. So both are replaced here; the record itself is stored elsewhere unchanged.
 */
export function fieldsOf(data: Record<string, unknown>): string {
  const json = JSON.stringify(data)
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return JSON.stringify(data, (_key, value: unknown) => (typeof value === 'string' ? readable(value) : value))
}

function readable(text: string): string {
  return storable(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
}
