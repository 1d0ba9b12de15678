// The embedded SQLite driver, the only importer of libsql: a small synchronous handle that keeps libsql's traps
// out of reach: a lone null or a boolean as parameter aborts the process, `get()` adds a column to a row that is no array, and a
// statement that both `get()` and `all()` were asked of answers with the parameters of another call.

import { pathToFileURL } from 'node:url'
import Libsql from 'libsql'
import { ServiceError } from '../../model/errors.js'

/**
 * `Row` is what the caller says its SQL answers. Parameters are one array in the order of the `?`: null, text, numbers, bytes
 * (which come back as ArrayBuffer, from `first` as Buffer). In text, U+0000 and lone surrogates become U+FFFD: the driver can keep neither.
 */
export interface SqliteStatement<Row> {
  /** Whether it answers rows (`SELECT`, `RETURNING`, most `PRAGMA`). */
  readonly reader: boolean
  all(parameters: readonly unknown[]): Row[]
  /** The first row alone, at half of what `all` costs. It holds no snapshot. */
  first(parameters: readonly unknown[]): Row | undefined
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  /** Holds its read snapshot until it is read to its end. */
  iterate(parameters: readonly unknown[]): IterableIterator<Row>
}

export interface SqliteHandle {
  /** One or several statements without parameters; rows are thrown away. */
  exec(sql: string): void
  prepare<Row>(sql: string): SqliteStatement<Row>
  /** Runs `work` in one write transaction (`BEGIN IMMEDIATE`), rolled back when it throws. Must not be nested or async. */
  transact<T>(work: () => T): T
  readonly inTransaction: boolean
  close(): void
}

export interface SqliteOptions {
  /** What a power cut may take: nothing acknowledged (FULL), or the last transactions but never the file's consistency (NORMAL). */
  synchronous: 'FULL' | 'NORMAL'
  /** Milliseconds that a statement waits for another connection's lock. Default 5,000. */
  busyTimeout?: number
  /** The size of a page in a file that is made. Default 4,096. */
  pageBytes?: number
  /** Whether rows that others refer to are kept. Default true. */
  foreignKeys?: boolean
  /** Whether a file that is not there is refused (`SQLITE_CANTOPEN`). By default it is made. */
  mustExist?: boolean
  /** `DELETE` is for a lock: in WAL mode a reader excludes nobody. Default `WAL`. */
  journal?: 'WAL' | 'DELETE'
  /** Whether every change is refused. SQLite may still write the files of its log. */
  queryOnly?: boolean
}

/** A connection on which one file after the other is open. What it has prepared once serves all of them. */
export interface SharedHandle extends SqliteHandle {
  /** Opens a file that exists and is in WAL mode, as the schema `site`. Throws the driver's error for any other one. */
  attach(file: string): void
  /** Does nothing where no file is open. Throws the driver's error within a transaction. */
  detach(): void
}

export interface SharedOptions {
  /** Milliseconds that a statement waits for another connection's lock. */
  busyTimeout: number
  /** Kibibytes of pages of the file kept in memory. Default 2,000. */
  cacheKibibytes?: number | undefined
  /** Whether nothing is ever written. */
  isReader?: boolean | undefined
}

const DEFAULT_BUSY_TIMEOUT_MS = 5_000
const TRY_AGAIN_MS = 1
/** Nobody ever notifies it: to wait for it is to sleep. */
const stillness = new Int32Array(new SharedArrayBuffer(4))

/** Opens or creates the file. Throws the driver's error where it is no database or cannot be reached. */
export function openSqlite(file: string, options: SqliteOptions): SqliteHandle {
  const connection = connect(file, options.mustExist === true)
  try {
    const busyTimeout = options.busyTimeout ?? DEFAULT_BUSY_TIMEOUT_MS
    connection.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
    if (options.pageBytes !== undefined) connection.exec(`PRAGMA page_size = ${options.pageBytes}`)
    enterMode(connection, options.journal ?? 'WAL', busyTimeout)
    connection.exec(`PRAGMA synchronous = ${options.synchronous}`)
    connection.exec(`PRAGMA foreign_keys = ${options.foreignKeys === false ? 'OFF' : 'ON'}`)
    if (options.queryOnly === true) connection.exec('PRAGMA query_only = ON')
  } catch (error) {
    connection.close()
    throw error
  }
  return handleOf(connection)
}

/**
 * The driver keeps a file open, after it was closed, until all that was prepared for it is garbage. So a connection that opens many files is
 * kept, and files are attached to it.
 */
export function openShared({ busyTimeout, cacheKibibytes = 2_000, isReader = false }: SharedOptions): SharedHandle {
  const connection = connect(':memory:', false)
  connection.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA query_only = ${isReader ? 'ON' : 'OFF'}`)
  const settings = `PRAGMA site.synchronous = NORMAL; PRAGMA site.cache_size = -${cacheKibibytes}`
  let isAttached = false
  return Object.assign(handleOf(connection), {
    attach(file: string) {
      // With this mode nothing is made (sqlite.org/uri.html §3.3).
      onDisk(() => connection.exec(`ATTACH '${pathToFileURL(file).href.replaceAll("'", '%27')}?mode=rw' AS site`))
      isAttached = true
      onDisk(() => connection.exec(settings))
    },
    detach() {
      if (isAttached) connection.exec('DETACH site')
      isAttached = false
    },
  })
}

function handleOf(connection: Libsql.Database): SqliteHandle {
  // A closed connection that is asked whether it is in a transaction ends the process.
  let isOpen = true
  const handle: SqliteHandle = {
    exec: (sql) => void onDisk(() => connection.exec(sql)),
    prepare: (sql) => bindStatement(() => onDisk(() => connection.prepare(sql))),
    transact: (work) => transact(handle, work),
    get inTransaction() {
      return isOpen && connection.inTransaction
    },
    close() {
      isOpen = false
      connection.close()
    },
  }
  return handle
}

/**
 * Two connections that open a new file at once may each wait for the other to let it write the mode: SQLite then refuses one of them without
 * waiting (sqlite.org/c3ref/busy_handler.html), and it may try again. A file that has the mode already is not locked for it.
 */
function enterMode(connection: Libsql.Database, mode: 'WAL' | 'DELETE', waitMs: number): void {
  const end = performance.now() + waitMs
  for (;;) {
    try {
      connection.exec(`PRAGMA journal_mode = ${mode}`)
      return
    } catch (error) {
      if (sqliteCode(error) !== 'SQLITE_BUSY' || performance.now() >= end) throw error
    }
    Atomics.wait(stillness, 0, 0, TRY_AGAIN_MS)
  }
}

/** The driver's own error of opening has no code: SQLite's name for it is CANTOPEN. */
function connect(file: string, mustExist: boolean): Libsql.Database {
  try {
    // sqlite.org/uri.html §3.3: with this mode nothing is made.
    return new Libsql(mustExist ? `${pathToFileURL(file).href}?mode=rw` : file)
  } catch (error) {
    throw Object.assign(new Error(`${file} cannot be opened as a database.`, { cause: error }), {
      code: 'SQLITE_CANTOPEN',
    })
  }
}

/**
 * SQLite's result code by name (`SQLITE_BUSY`, `SQLITE_CORRUPT`, `SQLITE_CONSTRAINT_UNIQUE`), also of the error behind a
 * refusal; undefined for any other error. Some errors of the driver are not of its error class.
 */
export function sqliteCode(error: unknown): string | undefined {
  if (error instanceof ServiceError) return sqliteCode(error.cause)
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined
  return error.code.startsWith('SQLITE_') ? error.code : undefined
}

/** Turns the errors of a full or failing disk into refusals. Any other error stays the driver's. */
function onDisk<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = sqliteCode(error) ?? ''
    if (code === 'SQLITE_FULL') throw refusal('storage_full', 'The disk of the service is full.', error)
    if (!/^SQLITE_(IOERR|CANTOPEN)/.test(code)) throw error
    throw refusal('storage_failed', 'The disk of the service failed. Try again.', error)
  }
}

function refusal(code: 'storage_full' | 'storage_failed', message: string, cause: unknown): ServiceError {
  return Object.assign(new ServiceError(code, message), { cause })
}

function bindStatement<Row>(prepare: () => Libsql.Statement): SqliteStatement<Row> {
  const statement = prepare()
  let first: ReturnType<typeof bindFirst> | undefined
  // The rows' shape follows from the SQL, which no type checker reads: the caller's claim is trusted here alone.
  /* oxlint-disable typescript/no-unsafe-type-assertion */
  return {
    reader: statement.reader,
    all: (parameters) => onDisk(() => statement.all(parameters.map(bindable)) as Row[]),
    first: (parameters) => (first ??= bindFirst(prepare()))(parameters) as Row | undefined,
    run: (parameters) => onDisk(() => statement.run(parameters.map(bindable))),
    iterate: (parameters) => statement.iterate(parameters.map(bindable)) as IterableIterator<Row>,
  }
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}

/** Asks for the first row, of a statement of which nothing else is asked. */
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

/** The driver reads text up to its first NUL, and ends the process (a Rust panic) for any type but these. */
function bindable(parameter: unknown): unknown {
  if (typeof parameter === 'string') return parameter.replaceAll('\0', '\uFFFD')
  if (parameter === null || typeof parameter === 'number' || parameter instanceof Uint8Array) return parameter
  throw new TypeError(`SQLite takes no ${typeof parameter} as a parameter: give null, text, a number or bytes.`)
}

function transact<T>(handle: SqliteHandle, work: () => T): T {
  handle.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    handle.exec('COMMIT')
    return result
  } catch (error) {
    // Some errors (a full disk, an I/O error) roll back by themselves; a second ROLLBACK would hide their cause.
    if (handle.inTransaction) handle.exec('ROLLBACK')
    throw error
  }
}
