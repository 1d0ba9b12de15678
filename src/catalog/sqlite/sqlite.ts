// The embedded SQLite driver behind a small synchronous handle. Its statements are in statement.ts.

import { pathToFileURL } from 'node:url'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { named, onDisk, sqliteCode } from './sqlite-errors.js'
import { bindStatement, type SqliteStatement } from './statement.js'

export interface SqliteHandle {
  /** Runs one or several statements without parameters; rows are dropped. */
  exec(sql: string): void
  /** Prepares a statement. `nameOf` returns the name that a column has in the rows; by default it is the column's own. */
  prepare<Row>(sql: string, nameOf?: (column: string) => string): SqliteStatement<Row>
  /** Runs `work` in one write transaction (`BEGIN IMMEDIATE`), rolled back if it throws. Must not be nested or async. */
  transact<T>(work: () => T): T
  readonly inTransaction: boolean
  /** Rolls back what is open, ends all statements and frees the descriptors. Nothing happens if it was closed before. */
  close(): void
}

export interface SqliteOptions {
  /** A power cut takes nothing acknowledged (FULL), or the last transactions but never the file's consistency (NORMAL). */
  synchronous: 'FULL' | 'NORMAL'
  /** Milliseconds that a statement waits for another connection's lock. Default 5,000. */
  busyTimeout?: number
  /** Page size of a new file. Default 4,096. */
  pageBytes?: number
  /** Kibibytes of pages of the file kept in memory. Default 2,000. */
  cacheKibibytes?: number | undefined
  /** Whether foreign keys are enforced. Default true. */
  foreignKeys?: boolean
  /** Whether a missing file is refused (`SQLITE_CANTOPEN`). By default it is created. */
  mustExist?: boolean
  /** `DELETE` is for a lock: in WAL mode a reader excludes no other. Default `WAL`. */
  journal?: 'WAL' | 'DELETE'
  /** Whether every change is refused. SQLite may still write the files of its log. */
  queryOnly?: boolean | undefined
}

const DEFAULT_BUSY_TIMEOUT_MS = 5_000
const DEFAULT_CACHE_KIBIBYTES = 2_000
/** Size to which a log (-wal) that grew under long reads is cut, once it begins anew. Without reads it stays below that. */
const MAX_LOG_BYTES = 4 * 1024 * 1024
const TRY_AGAIN_MS = 1
/** Never notified: to wait for it is to sleep. */
const stillness = new Int32Array(new SharedArrayBuffer(4))

/** Opens or creates the file. Throws the driver's error if it is no database or cannot be reached. */
export function openSqlite(file: string, options: SqliteOptions): SqliteHandle {
  const busyTimeout = options.busyTimeout ?? DEFAULT_BUSY_TIMEOUT_MS
  const connection = connect(file, options, busyTimeout)
  try {
    named(() => {
      if (options.pageBytes !== undefined) connection.exec(`PRAGMA page_size = ${options.pageBytes}`)
      enterMode(connection, options.journal ?? 'WAL', busyTimeout)
      connection.exec(settingsOf(options))
    })
  } catch (error) {
    connection.close()
    throw error
  }
  return handleOf(connection)
}

/** Temporary tables and sorts stay in memory: the folder for temporary files may be small, or not writable. */
function settingsOf({
  synchronous,
  cacheKibibytes = DEFAULT_CACHE_KIBIBYTES,
  queryOnly = false,
}: SqliteOptions): string {
  return `PRAGMA journal_size_limit = ${MAX_LOG_BYTES};
    PRAGMA synchronous = ${synchronous};
    PRAGMA cache_size = -${cacheKibibytes};
    PRAGMA temp_store = MEMORY;
    PRAGMA query_only = ${queryOnly ? 'ON' : 'OFF'}`
}

function handleOf(connection: DatabaseSyncInstance): SqliteHandle {
  const handle: SqliteHandle = {
    exec: (sql) => onDisk(() => connection.exec(sql)),
    prepare: (sql, nameOf) =>
      bindStatement(
        onDisk(() => connection.prepare(sql)),
        nameOf,
      ),
    transact: (work) => transact(handle, work),
    get inTransaction() {
      return connection.isOpen && connection.isTransaction
    },
    close() {
      if (connection.isOpen) connection.close()
    },
  }
  return handle
}

/**
 * Sets the journal mode. Two connections that open a new file at once may each wait for the other to write the mode. SQLite then refuses
 * one without waiting (sqlite.org/c3ref/busy_handler.html), so it is tried again. A file already in the mode is not locked for it.
 */
function enterMode(connection: DatabaseSyncInstance, mode: 'WAL' | 'DELETE', waitMs: number): void {
  const end = performance.now() + waitMs
  for (;;) {
    try {
      named(() => connection.exec(`PRAGMA journal_mode = ${mode}`))
      return
    } catch (error) {
      if (sqliteCode(error) !== 'SQLITE_BUSY' || performance.now() >= end) throw error
    }
    Atomics.wait(stillness, 0, 0, TRY_AGAIN_MS)
  }
}

/** Connects. The driver's own message does not name the file. */
function connect(file: string, { mustExist, foreignKeys }: SqliteOptions, timeout: number): DatabaseSyncInstance {
  // The URI's mode `rw` creates no file, `rwc` does (sqlite.org/uri.html).
  const uri = `${pathToFileURL(file).href}?mode=${mustExist === true ? 'rw' : 'rwc'}`
  try {
    return named(
      () => new DatabaseSync(uri, { timeout, enableForeignKeyConstraints: foreignKeys !== false, returnArrays: true }),
    )
  } catch (error) {
    throw Object.assign(new Error(`${file} cannot be opened as a database.`, { cause: error }), {
      code: sqliteCode(error),
    })
  }
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
