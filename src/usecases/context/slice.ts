// Parts of short lists that are read completely: workspaces, keys, templates. The cursor holds the last row's key, so the
// next part follows it whatever rows were added or removed before.

import { parseArray } from '../../catalog/index/tables/cursor.js'
import type { Listing } from '../../catalog/index/tables/rows.js'
import { ServiceError } from '../../model/errors.js'

/** `rows` in ascending order of `keyOf`, which is unique by row; `list` ties a cursor to its list. Throws `invalid_cursor`. */
export function takeSlice<Row>(
  list: string,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Listing<Row> {
  const after = cursor === undefined ? undefined : readCursor(list, cursor)
  const rest = after === undefined ? rows : rows.filter((row) => keyOf(row) > after)
  const taken = rest.slice(0, limit)
  const last = taken.at(-1)
  const more = last !== undefined && rest.length > taken.length
  return { rows: taken, nextCursor: more ? makeCursor(list, keyOf(last)) : null }
}

export function makeCursor(list: string, key: string): string {
  return Buffer.from(JSON.stringify([list, key])).toString('base64url')
}

/** The key in a cursor of this list. Throws `invalid_cursor` for anything that we did not make. */
export function readCursor(list: string, cursor: string): string {
  const [name, key] = parseArray(Buffer.from(cursor, 'base64url').toString())
  if (name === list && typeof key === 'string' && makeCursor(list, key) === cursor) return key
  throw new ServiceError('invalid_cursor', 'This cursor was not given by this list. Begin again without a cursor.')
}
