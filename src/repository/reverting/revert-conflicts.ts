// Throws the error that lists the conflicts of a revert.

import type { Oid } from '../../git/objects/oid.js'
import { ServiceError } from '../../model/errors.js'
import type { PathConflict } from '../merging/merge-changes.js'

/** The limits of characters shown to the client: of one conflicting file, and of all. */
const MAX_HUNKS_CHARACTERS = 64 * 1024
const MAX_LISTED_CHARACTERS = 256 * 1024
const MAX_LISTED = 50

export interface CommitConflict extends PathConflict {
  /** The commit that cannot be undone. */
  commit: Oid
}

/** Throws `revert_conflict` if there are any conflicts. */
export function refuseConflicts(conflicts: readonly CommitConflict[], commitCount: number): void {
  if (conflicts.length === 0) return
  let room = MAX_LISTED_CHARACTERS
  const listed = conflicts.slice(0, MAX_LISTED).map(({ hunks, ...conflict }) => {
    const shown = hunks.slice(0, Math.min(room, MAX_HUNKS_CHARACTERS))
    room -= shown.length
    return { ...conflict, hunks: shown }
  })
  const conflicting = new Set(conflicts.map(({ commit }) => commit)).size
  const advice =
    commitCount === 1
      ? 'Roll back single pages instead, or revert the later commits first.'
      : `${conflicting} of ${commitCount} commits cannot be undone: leave them out, or undo the later commits too.`
  throw new ServiceError('revert_conflict', `Later commits changed the same places. ${advice}`, { conflicts: listed })
}
