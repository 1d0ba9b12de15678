// Takes parts of lists. Short lists, such as workspaces and templates, are read completely; long ones in pieces. The cursor holds the last
// row's key, so the next part follows it although rows were added or removed meanwhile.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseArray } from '../../index/tables/cursor.js'
import type { Listing } from '../../index/tables/rows.js'
import { ServiceError } from '../../model/errors.js'

/** Rows that are read in one turn of the event loop. */
const PIECE = 200

/**
 * Takes a part of `rows`, in ascending order of `keyOf`, which is unique by row. `list` ties a cursor to its list. Throws `invalid_cursor`.
 */
export function takeSlice<Row>(
  list: string,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Listing<Row> {
  const after = cursor === undefined ? undefined : readCursor(list, cursor)
  const rest = after === undefined ? rows : rows.filter((row) => keyOf(row) > after)
  return firstOf(list, rest, keyOf, limit)
}

/** A list of any length. Its rows are in ascending order of `keyOf`, which is unique by row. */
export interface LongList<Row> {
  /** Reads the first rows after a key, at most `count`. */
  read: (after: string, count: number) => Promise<Row[]>
  keyOf: (row: Row) => string
  /** Whether the row is in the answer; others are skipped. */
  isWanted: (row: Row) => boolean
}

/** Takes a part of a long list, a piece at a time. The cost grows with the rows answered and skipped. Throws `invalid_cursor`. */
export async function readSlice<Row>(
  list: string,
  { read, keyOf, isWanted }: LongList<Row>,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Listing<Row>> {
  const found: Row[] = []
  let after = cursor === undefined ? '' : readCursor(list, cursor)
  for (let isAtEnd = false; !isAtEnd && found.length <= limit; await nextTurn()) {
    const rows = await read(after, PIECE)
    found.push(...rows.filter(isWanted))
    const last = rows.at(-1)
    isAtEnd = last === undefined || rows.length < PIECE
    if (last !== undefined) after = keyOf(last)
  }
  return firstOf(list, found, keyOf, limit)
}

/** Takes the first rows. One row more than `limit` tells that the list goes on. */
export function firstOf<Row>(
  list: string,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  limit: number,
): Listing<Row> {
  const taken = rows.slice(0, limit)
  const last = taken.at(-1)
  const more = last !== undefined && rows.length > taken.length
  return { rows: taken, nextCursor: more ? makeCursor(list, keyOf(last)) : null }
}

export function makeCursor(list: string, key: string): string {
  return Buffer.from(JSON.stringify([list, key])).toString('base64url')
}

/** Returns the key in a cursor of this list. Throws `invalid_cursor` for anything that we did not make. */
export function readCursor(list: string, cursor: string): string {
  const [name, key] = parseArray(Buffer.from(cursor, 'base64url').toString())
  if (name === list && typeof key === 'string' && makeCursor(list, key) === cursor) return key
  throw invalidCursor()
}

/** Returns the number in a cursor of a list whose keys are numbers. Throws `invalid_cursor`. */
export function readNumber(list: string, cursor: string): number {
  const number = Number(readCursor(list, cursor))
  if (Number.isSafeInteger(number)) return number
  throw invalidCursor()
}

export function invalidCursor(): ServiceError {
  return new ServiceError('invalid_cursor', 'This cursor was not given by this list. Begin again without a cursor.')
}
