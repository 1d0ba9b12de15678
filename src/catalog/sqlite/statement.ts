// Prepared statements. Their rows are ordinary objects: the driver answers arrays, which costs less than its own objects.

import type { StatementSyncInstance } from '@photostructure/sqlite'
import { onDisk } from './sqlite-errors.js'

/**
 * A prepared statement. `Row` is the shape that the caller gives its SQL. Parameters are one array in the order of the `?`: null, text,
 * numbers, bytes. Blobs are answered as Uint8Array. U+0000 and lone surrogates become U+FFFD.
 */
export interface SqliteStatement<Row> {
  /** Whether it returns rows (`SELECT`, `RETURNING`, most `PRAGMA`). */
  readonly reader: boolean
  all(parameters: readonly unknown[]): Row[]
  /** Returns only the first row. Holds no snapshot. */
  first(parameters: readonly unknown[]): Row | undefined
  run(parameters: readonly unknown[]): { changes: number; lastInsertRowid: bigint }
  /** For Kysely's `stream`, which nothing uses. */
  iterate(parameters: readonly unknown[]): IterableIterator<Row>
}

/** Binds a statement whose rows are arrays. */
export function bindStatement<Row>(
  statement: StatementSyncInstance,
  nameOf: (column: string) => string = (column) => column,
): SqliteStatement<Row> {
  let names: readonly string[] | undefined
  const columns = () => (names ??= onDisk(() => statement.columns()).map(({ name }) => nameOf(name)))

  function rowOf(values: readonly unknown[]): Row {
    const row: Record<string, unknown> = {}
    const known = columns()
    for (let at = 0; at < known.length; at++) row[known[at] ?? ''] = values[at]
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SQL gives the row's shape: the caller is believed
    return row as Row
  }

  const all = (parameters: readonly unknown[]) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each row is an array
    const rows = onDisk(() => statement.all(...parameters.map(bindable))) as unknown[][]
    return rows.map(rowOf)
  }
  return {
    get reader() {
      return columns().length > 0
    },
    all,
    first(parameters) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row is an array
      const values = onDisk(() => statement.get(...parameters.map(bindable))) as unknown[] | undefined
      return values && rowOf(values)
    },
    run: (parameters) => onDisk(() => run(statement, parameters.map(bindable))),
    iterate: (parameters) => all(parameters).values(),
  }
}

/** Runs a statement. The number of a row of a full-text index may be past 2^53: the driver takes it only as bigint. */
function run(statement: StatementSyncInstance, parameters: unknown[]): { changes: number; lastInsertRowid: bigint } {
  statement.setReadBigInts(true)
  try {
    const done: { changes: number | bigint; lastInsertRowid: number | bigint } = statement.run(...parameters)
    return { changes: Number(done.changes), lastInsertRowid: BigInt(done.lastInsertRowid) }
  } finally {
    statement.setReadBigInts(false)
  }
}

/** Checks and converts a parameter. The driver reads text up to its first NUL, takes undefined for null and a boolean for a number. */
function bindable(parameter: unknown): unknown {
  if (typeof parameter === 'string') return parameter.replaceAll('\0', '\uFFFD')
  if (parameter === null || typeof parameter === 'number' || parameter instanceof Uint8Array) return parameter
  throw new TypeError(`SQLite takes no ${typeof parameter} as a parameter: give null, text, a number or bytes.`)
}
