// One serving process owns the data directory. The lock is an open SQLite transaction: the kernel drops it with the
// process, however it dies, so no stale lock is ever left behind (design §7).

import { join } from 'node:path'
import { openSqlite, sqliteCode } from './sqlite.js'

const LOCK_FILE = 'serve.lock.db'
/** Milliseconds: long enough for two simultaneous first starts to agree, short for a person who waits. */
const PATIENCE = 200

export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`Another process serves ${dataDir}: stop it first, or set DATA_DIR to another folder.`)
    this.name = 'DataDirInUse'
  }
}

/**
 * Takes the directory for this process and returns how to let go of it. Throws `DataDirInUse`.
 * The lock file must be opened by nothing else in this process: closing any descriptor of it would drop the kernel's lock.
 */
export function lockDataDir(dataDir: string): () => void {
  try {
    const sqlite = openSqlite(join(dataDir, LOCK_FILE), { synchronous: 'NORMAL', busyTimeout: PATIENCE })
    try {
      sqlite.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      sqlite.close()
      throw error
    }
    return () => sqlite.close()
  } catch (error) {
    if (sqliteCode(error)?.startsWith('SQLITE_BUSY')) throw new DataDirInUse(dataDir)
    throw error
  }
}
