// Errors of SQLite: their codes, and what a client hears of a full or failing disk.

import { ServiceError } from '../../model/errors.js'

/** Names of the result codes (sqlite.org/rescode.html), by their numbers. */
const NAMES: Readonly<Record<number, string>> = {
  1: 'ERROR',
  2: 'INTERNAL',
  3: 'PERM',
  4: 'ABORT',
  5: 'BUSY',
  6: 'LOCKED',
  7: 'NOMEM',
  8: 'READONLY',
  9: 'INTERRUPT',
  10: 'IOERR',
  11: 'CORRUPT',
  12: 'NOTFOUND',
  13: 'FULL',
  14: 'CANTOPEN',
  15: 'PROTOCOL',
  17: 'SCHEMA',
  18: 'TOOBIG',
  19: 'CONSTRAINT',
  20: 'MISMATCH',
  21: 'MISUSE',
  23: 'AUTH',
  25: 'RANGE',
  26: 'NOTADB',
  266: 'IOERR_READ',
  522: 'IOERR_SHORT_READ',
  1555: 'CONSTRAINT_PRIMARYKEY',
  2067: 'CONSTRAINT_UNIQUE',
}
/** An extended code carries the general one in its lowest bits. */
const GENERAL_BITS = 0xff

/**
 * Returns SQLite's result code by name (`SQLITE_BUSY`, `SQLITE_CORRUPT`, `SQLITE_CONSTRAINT_UNIQUE`), also of the error behind a
 * refusal; undefined for any other error. Extended codes that nothing asks for have the name of the general one.
 */
export function sqliteCode(error: unknown): string | undefined {
  if (error instanceof ServiceError) return sqliteCode(error.cause)
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined
  return error.code.startsWith('SQLITE_') ? error.code : undefined
}

/** Runs calls of the driver. Its errors have only the number of the result code: they get the name. */
export function named<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number') {
      const name = NAMES[error.errcode] ?? NAMES[error.errcode & GENERAL_BITS]
      if (name !== undefined) Object.assign(error, { code: `SQLITE_${name}` })
    }
    throw error
  }
}

/** Runs calls of the driver as `named` does, and turns the errors of a full or failing disk into refusals. */
export function onDisk<T>(work: () => T): T {
  try {
    return named(work)
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
