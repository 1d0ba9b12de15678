// The derived form of a record's data that filters and sorts compare.

import { storable } from '../tables/sql.js'

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
