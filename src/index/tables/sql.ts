// The index's connection. Statements are prepared once and kept by their text.

import type { SqliteHandle } from '../../catalog/sqlite/sqlite.js'
import type { SqliteStatement } from '../../catalog/sqlite/statement.js'

export type SqlValue = string | number | null | Uint8Array

/** A piece of SQL and the values of its `?`, in order. */
export interface Condition {
  text: string
  values: readonly SqlValue[]
}

export interface RowReader {
  all<Row>(text: string, values: readonly SqlValue[]): Row[]
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as in `all`, the caller names the row's shape
  first<Row>(text: string, values: readonly SqlValue[]): Row | undefined
}

export interface Sql extends RowReader {
  run(text: string, values: readonly SqlValue[]): void
  /** Runs `work` in a write transaction, or in the open one; everything is rolled back if `work` throws. */
  transact<T>(work: () => T): T
  /** Runs `work` in a read transaction, or in the open one: all answers are of the same moment. */
  atOneMoment<T>(work: () => T): T
}

/** Texts vary only with the shape of a query (its filters and sorts). Above this number all are dropped. */
const MAX_KEPT_STATEMENTS = 256

export function prepareOn(handle: SqliteHandle): Sql {
  const statements = new Map<string, SqliteStatement<unknown>>()

  function statementFor<Row>(text: string): SqliteStatement<Row> {
    let statement = statements.get(text)
    if (statement === undefined) {
      if (statements.size >= MAX_KEPT_STATEMENTS) statements.clear()
      statement = handle.prepare<unknown>(text)
      statements.set(text, statement)
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SQL gives the rows' shape: the caller is believed
    return statement as SqliteStatement<Row>
  }

  return {
    all: <Row>(text: string, values: readonly SqlValue[]) => statementFor<Row>(text).all(values),
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- see the interface
    first: <Row>(text: string, values: readonly SqlValue[]) => statementFor<Row>(text).first(values),
    run: (text, values) => void statementFor(text).run(values),
    transact: (work) => (handle.inTransaction ? work() : handle.transact(work)),
    atOneMoment<T>(work: () => T): T {
      if (handle.inTransaction) return work()
      handle.exec('BEGIN')
      try {
        return work()
      } finally {
        endReading(handle)
      }
    },
  }
}

/** Ends a read transaction without an error: if the file was damaged in between, the query's own error says so. */
function endReading(handle: SqliteHandle): void {
  try {
    if (handle.inTransaction) handle.exec('ROLLBACK')
  } catch {
    // Nothing was written.
  }
}

/** Returns a column of a version: whose signature its commit carries. A commit's row is written after those of its changes. */
export function verifiedOf(table: 'versions' | 'file_versions'): string {
  return `coalesce((SELECT verified FROM commits WHERE oid = ${table}.commit_oid), 'none') AS verified`
}

/** Joins conditions; TRUE if there are none. */
export function joinConditions(conditions: readonly Condition[], word: 'AND' | 'OR'): Condition {
  if (conditions.length === 0) return { text: 'TRUE', values: [] }
  return {
    text: conditions.map(({ text }) => `(${text})`).join(` ${word} `),
    values: conditions.flatMap(({ values }) => values),
  }
}

/** Replaces NUL by U+FFFD, as for lone surrogates: the driver ends a text at its first NUL. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}

/** Returns the form that searches compare: NFC and lower case, in any script. */
export function foldText(text: string): string {
  return storable(text.normalize('NFC').toLowerCase())
}
