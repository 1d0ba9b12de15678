// Shows conflicts to a client, within limits, or refuses with them.

import { ServiceError } from '../../model/errors.js'
import type { PathConflict } from './merge-changes.js'

/** The limits of characters shown to the client: of one conflicting file, and of all. */
const MAX_HUNKS_CHARACTERS = 64 * 1024
const MAX_LISTED_CHARACTERS = 256 * 1024
const MAX_LISTED = 50

/** Returns the first conflicts, with as much of their texts as a client is sent. */
export function listConflicts<T extends PathConflict>(conflicts: readonly T[]): T[] {
  let room = MAX_LISTED_CHARACTERS
  return conflicts.slice(0, MAX_LISTED).map((conflict) => {
    const hunks = conflict.hunks.slice(0, Math.min(room, MAX_HUNKS_CHARACTERS))
    room -= hunks.length
    return { ...conflict, hunks }
  })
}

/** Throws `merge_conflict` if there are any conflicts. */
export function refuseMerge(conflicts: readonly PathConflict[]): void {
  if (conflicts.length === 0) return
  const count = conflicts.length === 1 ? 'One path was' : `${conflicts.length} paths were`
  throw new ServiceError(
    'merge_conflict',
    `${count} changed on both sides in the same places: see details.conflicts. Settle them, and merge again.`,
    { conflicts: listConflicts(conflicts) },
  )
}
