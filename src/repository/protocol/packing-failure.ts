// Turns a failure of git at packing into a refusal. git names errors of the system as strerror(3) does, but a full disk in words of its own too.

import { GitFailed } from '../../git/command.js'
import { ServiceError } from '../../model/errors.js'

export function isDiskFull({ message }: GitFailed): boolean {
  return /No space left on device|Out of diskspace|Disk quota exceeded/.test(message)
}

/** Throws `storage_full` and `storage_failed` for failures of git, and any other error as it is. */
export function refusePacking(error: unknown): never {
  if (!(error instanceof GitFailed)) throw error
  const refusal = isDiskFull(error)
    ? new ServiceError('storage_full', 'The disk is full. Nothing was written.')
    : new ServiceError('storage_failed', 'git could not pack the files. Nothing was written; try again.')
  throw Object.assign(refusal, { cause: error })
}
