// Errors of SQLite: their codes, and what a client hears of a full or failing disk.

import { ServiceError } from '../../model/errors.js'

/**
 * Returns SQLite's result code by name (`SQLITE_BUSY`, `SQLITE_CORRUPT`, `SQLITE_CONSTRAINT_UNIQUE`), also of the error behind a
 * refusal; undefined for any other error. Some errors of the driver are not of its error class.
 */
export function sqliteCode(error: unknown): string | undefined {
  if (error instanceof ServiceError) return sqliteCode(error.cause)
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined
  return error.code.startsWith('SQLITE_') ? error.code : undefined
}

/** Turns the errors of a full or failing disk into refusals. Any other error stays the driver's. */
export function onDisk<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = sqliteCode(error) ?? ''
    if (code === 'SQLITE_FULL') throw refusal('storage_full', 'The disk of the service is full.', error)
    // SQLite reports a read that failed with EIO as CORRUPT.
    if (!/^SQLITE_(IOERR|CANTOPEN|CORRUPT)/.test(code)) throw error
    throw refusal('storage_failed', 'The disk of the service failed. Try again.', error)
  }
}

function refusal(code: 'storage_full' | 'storage_failed', message: string, cause: unknown): ServiceError {
  return Object.assign(new ServiceError(code, message), { cause })
}
