// Merges one branch (theirs) into another (ours), path by path, outside the writer's thread. The writer makes the changes only if the files
// have not changed since.

import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { SITE_FILE } from '../format/site-format.js'
import { toServiceError } from '../protocol/failure.js'
import type { PreparedMerge } from '../protocol/prepared.js'
import { findOrphans } from '../staging/orphan-records.js'
import { WorkingTree } from '../staging/working-tree.js'
import { type FindFaults, findMisfits } from './find-misfits.js'
import { followMoves } from './follow-moves.js'
import { fileOf, mergeChanges, type PathConflict } from './merge-changes.js'
import { refuseWithheld, toPrepared } from './prepared-merge.js'
import { TextMerger } from './text-merger.js'

/** A repository whose objects include those of all three commits: it may borrow some of another. */
export interface MergePlace {
  gitdir: string
  objects: ObjectReader
}

export interface MergeAim {
  /** The commit from which both sides began. */
  base: Oid
  /** The head that takes the changes. */
  ours: Oid
  /** The head that brings them. */
  theirs: Oid
  /** Blobs that the merge must not publish again. */
  withheld: readonly Oid[]
  /** Paths that keep the version of one side, whatever the other did there. */
  keeps?: { ours: readonly string[]; theirs: readonly string[] } | undefined
}

/**
 * The changes of ours, or the conflicts by path: all of them, or at least the first 50. With conflicts there are no edits. A merged text is
 * in its edit; any other blob is an object of theirs, which the repository of ours may lack.
 */
export interface MergeOutcome extends PreparedMerge {
  conflicts: readonly PathConflict[]
}

/**
 * `findFaults` checks records that no author has written like this, or whose collection has another schema now. Throws `site_unreadable`,
 * `conflict` for withheld blobs, `too_costly` if more than 500 texts must be merged, and `site_busy` if git cannot do its part now.
 */
export async function prepareMerge(place: MergePlace, aim: MergeAim, findFaults: FindFaults): Promise<MergeOutcome> {
  try {
    return await prepare(place, aim, findFaults)
  } catch (error) {
    throw toServiceError(error)
  }
}

async function prepare({ gitdir, objects }: MergePlace, aim: MergeAim, findFaults: FindFaults): Promise<MergeOutcome> {
  const [base = '', ours = '', theirs = ''] = [aim.base, aim.ours, aim.theirs].map(
    (oid) => objects.readCommit(oid).tree,
  )
  const tree = new WorkingTree(objects, ours)
  const merger = new TextMerger(gitdir, objects)
  const trees = {
    objects,
    base: new WorkingTree(objects, base),
    ours: tree,
    changes: [...diffTrees(objects, base, theirs)],
  }
  const followed = followMoves(trees, merger, new Set(aim.keeps && [...aim.keeps.ours, ...aim.keeps.theirs]))
  const changes = settle(followed.changes, tree, aim.keeps)
  if (changes.some(({ path }) => path === SITE_FILE)) return refused([SITE_FILE_CHANGED])
  const conflicts = await mergeChanges(tree, changes, merger)
  if (conflicts.length > 0) return refused(conflicts)
  const merged = toPrepared(tree, new Set([...changes.map(({ path }) => path), ...followed.paths]), merger.made)
  const { edits } = merged
  const orphans = findOrphans(tree, edits).map(({ conflict }) => conflict)
  if (orphans.length > 0) return refused(orphans)
  const before = new WorkingTree(objects, theirs)
  const isChecked = (edit: { content?: Uint8Array }, definition: Oid, path: string) =>
    edit.content === undefined && before.entry(path)?.oid === definition
  const misfits = await findMisfits({ tree, merger, edits }, isChecked, findFaults)
  if (misfits.length > 0) return refused(misfits)
  refuseWithheld(edits, aim.withheld)
  return { ...merged, conflicts: [] }
}

/** Leaves out changes where ours is kept. Where theirs is, the change begins with what is there. */
function settle(changes: readonly TreeChange[], tree: WorkingTree, keeps: MergeAim['keeps']): readonly TreeChange[] {
  if (keeps === undefined) return changes
  const [ours, theirs] = [new Set(keeps.ours), new Set(keeps.theirs)]
  return changes.flatMap(({ before, ...change }) => {
    if (ours.has(change.path)) return []
    const now = theirs.has(change.path) ? fileOf(tree.entry(change.path)) : before
    return [{ ...change, ...(now && { before: now }) }]
  })
}

const SITE_FILE_CHANGED: PathConflict = {
  path: SITE_FILE,
  reason: 'changed',
  hunks: 'The site file names the site, and is never merged.',
}

function refused(conflicts: readonly PathConflict[]): MergeOutcome {
  return { edits: [], judged: [], conflicts }
}
