// Errors of disk and git, turned into what a caller is told.

import { constants } from 'node:os'
import { ObjectCorrupt, ObjectMissing, OutcomeUnknown, RefLocked, RepositoryInvalid } from '../../git/objects/errors.js'
import { type ErrorCode, ServiceError } from '../../model/errors.js'
import { type Failure, failureOf } from '../../threads/messages.js'

/** What a failed batch or read tells its callers. Nothing of a path or a cause leaves the process in `message`. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const [code, message] = describe(error)
  return Object.assign(new ServiceError(code, message), { cause: error })
}

/** The same as data, to cross a thread boundary. */
export function toFailure(error: unknown): Failure {
  return failureOf(toServiceError(error))
}

/** EDQUOT is a number to Node, which has no name for it. */
const OVER_QUOTA = -constants.errno.EDQUOT

const UNREADABLE = "This site's repository cannot be read. Its operator finds the reason with fsck."

function describe(error: unknown): [ErrorCode, string] {
  if (error instanceof OutcomeUnknown) {
    return ['outcome_unknown', 'The storage did not confirm the write. Read the page to see whether it happened.']
  }
  if (error instanceof RefLocked) return ['site_busy', 'Another program holds this site. Try again in a second.']
  if (error instanceof ObjectCorrupt || error instanceof ObjectMissing || error instanceof RepositoryInvalid) {
    return ['site_unreadable', UNREADABLE]
  }
  const { code, errno, syscall } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  if (code === 'ENOSPC' || errno === OVER_QUOTA) {
    return ['storage_full', 'There is no room left to store this. Nothing was written.']
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') return ['site_unreadable', UNREADABLE]
  // Errors of the system name the call that failed; anything else is a mistake of ours.
  if (syscall !== undefined) {
    return ['storage_failed', 'The storage refused the write. Nothing was written; try again.']
  }
  return ['internal', 'Something failed here. Nothing was written.']
}
