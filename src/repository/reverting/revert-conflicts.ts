// Throws the error that lists the conflicts of a revert.

import type { Oid } from '../../git/objects/oid.js'
import { ServiceError } from '../../model/errors.js'
import type { PathConflict } from '../merging/merge-changes.js'
import { listConflicts } from '../merging/merge-conflicts.js'

export interface CommitConflict extends PathConflict {
  /** The commit that cannot be undone. */
  commit: Oid
}

/** Throws `revert_conflict` if there are any conflicts. */
export function refuseConflicts(conflicts: readonly CommitConflict[], commitCount: number): void {
  if (conflicts.length === 0) return
  const conflicting = new Set(conflicts.map(({ commit }) => commit)).size
  const advice =
    commitCount === 1
      ? 'Roll back single pages instead, or revert the later commits first.'
      : `${conflicting} of ${commitCount} commits cannot be undone: leave them out, or undo the later commits too.`
  throw new ServiceError('revert_conflict', `Later commits changed the same places. ${advice}`, {
    conflicts: listConflicts(conflicts),
  })
}
