// Cursors of lists: the key of the last returned row, opaque to clients. A cursor holds no ordinal in the list, so the list
// stays stable while others write. A cursor that this code did not make is refused.

import { ServiceError } from '../../model/errors.js'
import { MAX_CURSOR_CHARACTERS } from '../../model/limits.js'
import type { Listing } from './rows.js'
import { type Condition, joinConditions, type SqlValue } from './sql.js'

const MAX_LIST_ROWS = 1_000

/** One column of a list's order; `column` is SQL. The columns together must be unique by row. */
interface OrderColumn {
  column: string
  descending: boolean
  holds: (value: unknown) => value is SqlValue
}

/** The order of a list. `name` ties cursors to the list, so that a cursor of another list or sort is refused. */
export interface Order {
  name: string
  columns: readonly OrderColumn[]
}

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

export function isScalar(value: unknown): value is SqlValue {
  return value === null || typeof value === 'string' || typeof value === 'number'
}

/** Returns the condition for the rows after `cursor`; for all rows without one. Throws `invalid_cursor`. */
export function conditionAfter(order: Order, cursor: string | undefined): Condition {
  if (cursor === undefined) return { text: 'TRUE', values: [] }
  return afterKey(order.columns, decodeKey(order, cursor))
}

export function orderBy(order: Order): string {
  return order.columns.map(({ column, descending }) => (descending ? `${column} DESC` : column)).join(', ')
}

/** Returns how many rows to ask for: one more than the limit, which shows whether there are more. */
export function rowsToAsk(limit: number): number {
  return Math.min(limit, MAX_LIST_ROWS) + 1
}

/** Cuts rows that were asked for with `rowsToAsk` into a listing; `keyOf` reads a row's values of the order's columns. */
export function toListing<Raw, Row>(
  order: Order,
  limit: number,
  found: readonly Raw[],
  keyOf: (row: Raw) => SqlValue[],
  rowOf: (row: Raw) => Row,
): Listing<Row> {
  const kept = found.slice(0, Math.min(limit, MAX_LIST_ROWS))
  const last = kept.at(-1)
  const more = found.length > kept.length && last !== undefined
  return { rows: kept.map(rowOf), nextCursor: more ? encodeKey(order, keyOf(last)) : null }
}

function encodeKey(order: Order, key: readonly SqlValue[]): string {
  return Buffer.from(JSON.stringify([order.name, ...key])).toString('base64url')
}

function decodeKey(order: Order, cursor: string): SqlValue[] {
  const [name, ...key] =
    cursor.length > MAX_CURSOR_CHARACTERS ? [] : parseArray(Buffer.from(cursor, 'base64url').toString())
  const values = key.filter((value, at): value is SqlValue => order.columns[at]?.holds(value) === true)
  if (name !== order.name || key.length !== order.columns.length || values.length !== key.length) {
    throw new ServiceError(
      'invalid_cursor',
      'This cursor was not given by this list with these parameters. Begin again without a cursor.',
    )
  }
  return values
}

/** Parses the array in JSON text; empty for any other text. */
export function parseArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** Compares (a, b, c) > (x, y, z): a after x, or a is x and b after y, or … */
function afterKey(columns: readonly OrderColumn[], key: readonly SqlValue[]): Condition {
  const steps = columns.map((column, depth) => {
    const equal = columns
      .slice(0, depth)
      .map((left, at) => ({ text: `${left.column} IS ?`, values: [key[at] ?? null] }))
    return joinConditions([...equal, afterValue(column, key[depth] ?? null)], 'AND')
  })
  return joinConditions([lowerBound(columns, key), joinConditions(steps, 'OR')], 'AND')
}

/** Repeats what the steps imply for the first column, so that an index on it can start there. */
function lowerBound([first]: readonly OrderColumn[], [value = null]: readonly SqlValue[]): Condition {
  if (first === undefined || first.descending || value === null) return { text: 'TRUE', values: [] }
  return { text: `${first.column} >= ?`, values: [value] }
}

/** Compares one column. SQLite orders nulls, numbers, texts. A comparison with null is never true, so null has its own rule. */
function afterValue({ column, descending, holds }: OrderColumn, value: SqlValue): Condition {
  if (value === null) return { text: descending ? 'FALSE' : `${column} IS NOT NULL`, values: [] }
  if (descending && holds(null)) return { text: `${column} < ? OR ${column} IS NULL`, values: [value] }
  if (descending) return { text: `${column} < ?`, values: [value] }
  return { text: `${column} > ?`, values: [value] }
}
