// A lock on the data directory. Each process of the service holds it as long as it runs, and so does a command that needs exclusive use.
// The lock is an open SQLite transaction: the kernel drops it with the process, however it dies.

import { join } from 'node:path'
import { openSqlite } from './sqlite.js'
import { sqliteCode } from './sqlite-errors.js'

const LOCK_FILE = 'serve.lock.db'
/** Long enough for two simultaneous first starts to agree, short for a person who waits. */
const MAX_WAIT_MS = 200

/** `reader`: excludes only `alone`. `writer`: allows readers. `alone`: excludes all others. */
export type Hold = 'reader' | 'writer' | 'alone'

/** Statements that take the locks SHARED, RESERVED and EXCLUSIVE of SQLite's rollback journal (sqlite.org/lockingv3.html). */
const BEGIN: Readonly<Record<Hold, string>> = {
  reader: 'BEGIN; SELECT count(*) FROM sqlite_schema',
  writer: 'BEGIN IMMEDIATE',
  alone: 'BEGIN EXCLUSIVE',
}

const REFUSALS: Readonly<Record<Hold, (dataDir: string) => string>> = {
  reader: (dataDir) => `A command is using ${dataDir} exclusively. Start again once it has ended.`,
  writer: (dataDir) => `Another process serves ${dataDir}: stop it first, or set DATA_DIR to another folder.`,
  alone: (dataDir) =>
    `The service uses ${dataDir}: stop all its processes first, those with the role sites too, or set DATA_DIR to another folder.`,
}

export class DataDirInUse extends Error {
  constructor(dataDir: string, wanted: Hold) {
    super(REFUSALS[wanted](dataDir))
    this.name = 'DataDirInUse'
  }
}

/**
 * Takes the directory for this process and returns how to release it. Nothing else in this process may open the file: closing any
 * descriptor of it would drop the kernel's lock. Throws `DataDirInUse`.
 */
export function holdDataDir(dataDir: string, hold: Hold): () => void {
  try {
    return begin(join(dataDir, LOCK_FILE), BEGIN[hold])
  } catch (error) {
    if (sqliteCode(error)?.startsWith('SQLITE_BUSY')) throw new DataDirInUse(dataDir, hold)
    throw error
  }
}

/** Whether a process serves the directory, or uses it exclusively. */
export function isServed(dataDir: string): boolean {
  try {
    holdDataDir(dataDir, 'writer')()
    return false
  } catch (error) {
    if (error instanceof DataDirInUse) return true
    throw error
  }
}

function begin(file: string, statements: string): () => void {
  const sqlite = openSqlite(file, { synchronous: 'NORMAL', busyTimeout: MAX_WAIT_MS, journal: 'DELETE' })
  try {
    sqlite.exec(statements)
  } catch (error) {
    sqlite.close()
    throw error
  }
  return () => sqlite.close()
}
