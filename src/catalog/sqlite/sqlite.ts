// The embedded SQLite driver, libsql, behind a small synchronous handle. Its statements are in statement.ts.

import { pathToFileURL } from 'node:url'
import Libsql from 'libsql'
import { onDisk, sqliteCode } from './sqlite-errors.js'
import { bindStatement, type SqliteStatement } from './statement.js'

export interface SqliteHandle {
  /** Runs one or several statements without parameters; rows are dropped. */
  exec(sql: string): void
  prepare<Row>(sql: string): SqliteStatement<Row>
  /** Runs `work` in one write transaction (`BEGIN IMMEDIATE`), rolled back if it throws. Must not be nested or async. */
  transact<T>(work: () => T): T
  readonly inTransaction: boolean
  close(): void
}

export interface SqliteOptions {
  /** A power cut takes nothing acknowledged (FULL), or the last transactions but never the file's consistency (NORMAL). */
  synchronous: 'FULL' | 'NORMAL'
  /** Milliseconds that a statement waits for another connection's lock. Default 5,000. */
  busyTimeout?: number
  /** Page size of a new file. Default 4,096. */
  pageBytes?: number
  /** Whether foreign keys are enforced. Default true. */
  foreignKeys?: boolean
  /** Whether a missing file is refused (`SQLITE_CANTOPEN`). By default it is created. */
  mustExist?: boolean
  /** `DELETE` is for a lock: in WAL mode a reader excludes no other. Default `WAL`. */
  journal?: 'WAL' | 'DELETE'
  /** Whether every change is refused. SQLite may still write the files of its log. */
  queryOnly?: boolean
}

/** A connection that opens one file after another. Prepared statements serve all of them. */
export interface SharedHandle extends SqliteHandle {
  /** Opens an existing file in WAL mode as the schema `site`. Throws the driver's error for any other file. */
  attach(file: string): void
  /** Closes the file, if one is open. Throws the driver's error within a transaction. */
  detach(): void
}

export interface SharedOptions {
  /** Milliseconds that a statement waits for another connection's lock. */
  busyTimeout: number
  /** Kibibytes of pages of the file kept in memory. Default 2,000. */
  cacheKibibytes?: number | undefined
  /** Whether all writes are refused. */
  isReader?: boolean | undefined
}

const DEFAULT_BUSY_TIMEOUT_MS = 5_000
/** Size to which a log (-wal) that grew under long reads is cut, once it begins anew. Without reads it stays below that. */
const MAX_LOG_BYTES = 4 * 1024 * 1024
const TRY_AGAIN_MS = 1
/**
 * Has SQLite call the operating system itself. The driver's default is a layer for ciphers, which takes a failed read for a successful
 * one: SQLite then answers with what the buffer held before, and keeps it.
 */
const VFS = 'vfs=unix'
/** Never notified: to wait for it is to sleep. */
const stillness = new Int32Array(new SharedArrayBuffer(4))

/** Opens or creates the file. Throws the driver's error if it is no database or cannot be reached. */
export function openSqlite(file: string, options: SqliteOptions): SqliteHandle {
  const connection = connect(file, options.mustExist === true)
  try {
    const busyTimeout = options.busyTimeout ?? DEFAULT_BUSY_TIMEOUT_MS
    connection.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
    if (options.pageBytes !== undefined) connection.exec(`PRAGMA page_size = ${options.pageBytes}`)
    enterMode(connection, options.journal ?? 'WAL', busyTimeout)
    connection.exec(`PRAGMA journal_size_limit = ${MAX_LOG_BYTES}`)
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
 * Opens a connection to which files are attached one after another. A connection of its own for each file would not do: after close, the
 * driver keeps a file open until all statements prepared for it are garbage.
 */
export function openShared({ busyTimeout, cacheKibibytes = 2_000, isReader = false }: SharedOptions): SharedHandle {
  const connection = new Libsql(`file::memory:?${VFS}`)
  connection.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA query_only = ${isReader ? 'ON' : 'OFF'}`)
  const settings = `PRAGMA site.synchronous = NORMAL; PRAGMA site.cache_size = -${cacheKibibytes};
    PRAGMA site.journal_size_limit = ${MAX_LOG_BYTES}`
  let isAttached = false
  return Object.assign(handleOf(connection), {
    attach(file: string) {
      onDisk(() => connection.exec(`ATTACH '${uriOf(file, 'rw').replaceAll("'", '%27')}' AS site`))
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
  // Asking a closed connection whether it is in a transaction ends the process.
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
 * Sets the journal mode. Two connections that open a new file at once may each wait for the other to write the mode. SQLite then refuses
 * one without waiting (sqlite.org/c3ref/busy_handler.html), so it is tried again. A file already in the mode is not locked for it.
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

/** Connects. The driver's own error of opening has no code: it gets SQLite's name for it, CANTOPEN. */
function connect(file: string, mustExist: boolean): Libsql.Database {
  try {
    return new Libsql(uriOf(file, mustExist ? 'rw' : 'rwc'))
  } catch (error) {
    throw Object.assign(new Error(`${file} cannot be opened as a database.`, { cause: error }), {
      code: 'SQLITE_CANTOPEN',
    })
  }
}

/** Returns the file's URI (sqlite.org/uri.html §3.3): `rw` creates no file, `rwc` does. */
function uriOf(file: string, mode: 'rw' | 'rwc'): string {
  return `${pathToFileURL(file).href}?mode=${mode}&${VFS}`
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
