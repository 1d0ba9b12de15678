// The conflicts of a revert, as its refusal lists them.

import type { Oid } from '../../git/objects/oid.js'
import { entryAt } from '../../git/repository/history.js'
import type { MergeConflict, MergedTrees } from '../../git/repository/merge-trees.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { ServiceError } from '../../model/errors.js'
import { parseMetadataPath } from '../format/site-format.js'

/** Bytes of one conflicting file's hunks that are shown to the client. */
const MAX_HUNKS_BYTES = 64 * 1024
const MAX_LISTED_BYTES = 256 * 1024
const MAX_LISTED = 50

export interface CommitConflict {
  /** The commit that cannot be undone. */
  commit: Oid
  path: string
  /** The file with git's conflict markers; git's sentence where the conflict is not about lines. */
  hunks: string
}

/** `ours` is the tree that the merge started from. None where the merge is clean. */
export function conflictsOf(
  draft: ObjectReader,
  { tree, conflicts }: MergedTrees,
  { commit, ours }: { commit: Oid; ours: Oid },
): CommitConflict[] {
  return conflicts
    .filter((conflict) => !isKeptSidecar(draft, ours, conflict))
    .map((conflict) => ({ commit, path: conflict.paths[0] ?? '', hunks: hunksOf(draft, tree, conflict) }))
}

/** Throws `revert_conflict` where there are any. */
export function refuseConflicts(conflicts: readonly CommitConflict[], commitCount: number): void {
  if (conflicts.length === 0) return
  let bytes = 0
  const listed = conflicts.slice(0, MAX_LISTED).map(({ hunks, ...conflict }) => {
    const shown = hunks.slice(0, Math.max(0, MAX_LISTED_BYTES - bytes))
    bytes += shown.length
    return { ...conflict, hunks: shown }
  })
  const conflicting = new Set(conflicts.map(({ commit }) => commit)).size
  const advice =
    commitCount === 1
      ? 'Roll back single pages instead, or revert the later commits first.'
      : `${conflicting} of ${commitCount} commits cannot be undone: leave them out, or undo the later commits too.`
  throw new ServiceError('revert_conflict', `Later commits changed the same places. ${advice}`, { conflicts: listed })
}

/** A revert that removes a page keeps its sidecar, however it was changed since: git leaves that one in the tree. */
function isKeptSidecar(draft: ObjectReader, ours: Oid, { paths, type }: MergeConflict): boolean {
  const [path = ''] = paths
  const isSidecar = parseMetadataPath(path)?.kind === 'sidecar'
  return type === 'CONFLICT (modify/delete)' && isSidecar && entryAt(draft, ours, path) !== undefined
}

function hunksOf(draft: ObjectReader, tree: Oid, { paths, type, message }: MergeConflict): string {
  const entry = type === 'CONFLICT (contents)' ? entryAt(draft, tree, paths[0] ?? '') : undefined
  const text = entry === undefined ? message : draft.readBlob(entry.oid).toString()
  return text.slice(0, MAX_HUNKS_BYTES)
}
