// Turns errors of disk and git into errors for callers.

import { constants } from 'node:os'
import { ObjectCorrupt, ObjectMissing, OutcomeUnknown, RefLocked, RepositoryInvalid } from '../../git/objects/errors.js'
import { type ErrorCode, ServiceError } from '../../model/errors.js'
import { type Failure, failureOf } from '../../threads/messages.js'

/** Returns the error of a failed batch or read for its callers. Its `message` contains no path and no cause. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const [code, message] = describe(error)
  return Object.assign(new ServiceError(code, message), { cause: error })
}

/** Returns the same error as data that can cross a thread boundary. */
export function toFailure(error: unknown): Failure {
  return failureOf(toServiceError(error))
}

/** Node knows EDQUOT only as a number. */
const OVER_QUOTA = -constants.errno.EDQUOT

const UNREADABLE = "This site's repository cannot be read. Its operator finds the reason with fsck."

function describe(error: unknown): [ErrorCode, string] {
  if (error instanceof OutcomeUnknown) {
    return ['outcome_unknown', 'The storage did not confirm the write. Read the page to see whether it happened.']
  }
  if (error instanceof RefLocked) return ['site_busy', 'Another program has locked this site. Try again in a second.']
  if (error instanceof ObjectCorrupt || error instanceof ObjectMissing || error instanceof RepositoryInvalid) {
    return ['site_unreadable', UNREADABLE]
  }
  const { code, errno, syscall } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  if (code === 'ENOSPC' || errno === OVER_QUOTA) {
    return ['storage_full', 'The disk is full. Nothing was written.']
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') return ['site_unreadable', UNREADABLE]
  // Errors of the system name the call that failed; any other error is a defect of the service.
  if (syscall !== undefined) {
    return ['storage_failed', 'The storage refused the write. Nothing was written; try again.']
  }
  return ['internal', 'Internal error. Nothing was written.']
}
