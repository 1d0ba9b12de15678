// A lock on something in the data directory, among processes and threads. The lock is an open SQLite transaction: the
// kernel drops it with the process, however it dies, so no stale lock is ever left behind.

import { openSqlite } from './sqlite.js'

/**
 * Takes the lock and returns how to release it. Throws the driver's `SQLITE_BUSY` if it is not free within `waitMs`.
 * Nothing else in this process may open the file: closing any descriptor of it would drop the kernel's lock.
 */
export function lockFile(file: string, waitMs: number): () => void {
  const sqlite = openSqlite(file, { synchronous: 'NORMAL', busyTimeout: waitMs })
  try {
    sqlite.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    sqlite.close()
    throw error
  }
  return () => sqlite.close()
}
