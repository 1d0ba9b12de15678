// Prepared statements that avoid libsql's traps. A lone null or a boolean as parameter aborts the process. `get()` adds a column to a row
// that is no array. A statement used with both `get()` and `all()`, or with `get()` after an error, answers with the parameters of another
// call.

import type Libsql from 'libsql'
import { onDisk } from './sqlite-errors.js'

/**
 * A prepared statement. `Row` is the shape that the caller gives its SQL. Parameters are one array in the order of the `?`: null, text,
 * numbers, bytes (returned as ArrayBuffer, by `first` as Buffer). U+0000 and lone surrogates become U+FFFD: the driver keeps neither.
 */
export interface SqliteStatement<Row> {
  /** Whether it returns rows (`SELECT`, `RETURNING`, most `PRAGMA`). */
  readonly reader: boolean
  all(parameters: readonly unknown[]): Row[]
  /** Returns only the first row, at half the cost of `all`. Holds no snapshot. */
  first(parameters: readonly unknown[]): Row | undefined
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  /** For Kysely's `stream`, which nothing uses. Holds its read snapshot until it is read to its end. */
  iterate(parameters: readonly unknown[]): IterableIterator<Row>
}

/** Binds a statement; `prepare` makes another one where the driver needs it. */
export function bindStatement<Row>(prepare: () => Libsql.Statement): SqliteStatement<Row> {
  const statement = prepare()
  let bound: ReturnType<typeof bindFirst> | undefined
  const first = (parameters: readonly unknown[]) => {
    try {
      return (bound ??= bindFirst(prepare()))(parameters)
    } catch (error) {
      // After an error, the driver's next `get` of the statement answers with the parameters of the failed one.
      bound = undefined
      throw error
    }
  }
  // The rows' shape follows from the SQL, which no type checker reads: only here the caller's claim is trusted.
  /* oxlint-disable typescript/no-unsafe-type-assertion */
  return {
    reader: statement.reader,
    all: (parameters) => onDisk(() => statement.all(parameters.map(bindable)) as Row[]),
    first: (parameters) => first(parameters) as Row | undefined,
    run: (parameters) => onDisk(() => statement.run(parameters.map(bindable))),
    iterate: (parameters) => statement.iterate(parameters.map(bindable)) as IterableIterator<Row>,
  }
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}

/** Returns how to ask for the first row, with a statement that is used for nothing else. */
function bindFirst(statement: Libsql.Statement): (parameters: readonly unknown[]) => object | undefined {
  statement.raw()
  const names = statement.columns().map(({ name }) => name)
  return (parameters) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `raw` makes it the values of the row
    const values = onDisk(() => statement.get(parameters.map(bindable))) as unknown[] | undefined
    if (values === undefined) return undefined
    const row: Record<string, unknown> = {}
    for (const [at, name] of names.entries()) row[name] = values[at]
    return row
  }
}

/** Checks and converts a parameter. The driver reads text up to its first NUL, and ends the process (a Rust panic) for other types. */
function bindable(parameter: unknown): unknown {
  if (typeof parameter === 'string') return parameter.replaceAll('\0', '\uFFFD')
  if (parameter === null || typeof parameter === 'number' || parameter instanceof Uint8Array) return parameter
  throw new TypeError(`SQLite takes no ${typeof parameter} as a parameter: give null, text, a number or bytes.`)
}
