// Merges a change request into main, or main into it, in a task.

import type { Site } from '../../catalog/site.js'
import { treePathOf } from '../../model/paths/page-path.js'
import { packFolderIn, removePackFolder } from '../../repository/requests/pack-blobs.js'
import type { BranchMerge, BranchMergeAim, NamedSidecar } from '../../repository/requests/prepare-branch-merge.js'
import { listConflicts } from '../../repository/merging/merge-conflicts.js'
import type { PathConflict } from '../../repository/merging/merge-changes.js'
import { mainOf } from '../../repository/protocol/site-place.js'
import type { Finding, SiteCall } from '../context/call.js'
import { findBase } from './branch-history.js'
import { refuseRemoved } from './request-data.js'

/** The branch of a change request. */
export type Branch = Site & { request: string }

export interface Heads {
  /** The commit of main that the request has all of. */
  base: string
  main: string
  request: string
}

export interface MergedBranches extends BranchMerge {
  heads: Heads
  /** The folder of its packs. */
  packFolder: string | undefined
}

export type MergeParts = Pick<SiteCall<Finding | 'longTasks'>, Finding | 'longTasks'>

/** Paths for which one side is taken as it is. */
export interface Chosen {
  ours?: readonly string[] | undefined
  theirs?: readonly string[] | undefined
}

/** Sidecars to ask the index about at once. */
const MAX_ASKED = 100

/** Throws `conflict` once the branch of a closed request is removed. */
export async function readHeads({ store, indexFollower }: MergeParts, branch: Branch): Promise<Heads> {
  refuseRemoved({ store }, branch)
  const request = store.reader.snapshot(branch).commit
  const base = await findBase({ store, indexFollower }, branch)
  return { base, main: store.reader.snapshot(mainOf(branch)).commit, request }
}

/** Merges the request into main. What main may lack is in packs: call `removePacks` after use. Throws as the task does. */
export async function mergeIntoMain(call: MergeParts, branch: Branch, heads: Heads): Promise<MergedBranches> {
  const packFolder = packFolderIn(call.store.repositories.gitdir(branch))
  try {
    const { base, main: ours, request: theirs } = heads
    const merged = await runMerge(call, branch, { base, ours, theirs, packFolder })
    return { ...(await withClashes(call, merged, branch, mainOf(branch))), heads, packFolder }
  } catch (error) {
    await removePacks({ packFolder })
    throw error
  }
}

/** Merges main into the request, whose repository borrows what it lacks. */
export async function mergeIntoRequest(
  call: MergeParts,
  branch: Branch,
  heads: Heads,
  { ours: own = [], theirs: other = [] }: Chosen,
): Promise<MergedBranches> {
  const { base, main: theirs, request: ours } = heads
  const merged = await runMerge(call, branch, { base, ours, theirs, keeps: { ours: own, theirs: other } })
  return { ...(await withClashes(call, merged, mainOf(branch), branch)), heads, packFolder: undefined }
}

/** Returns the conflicts as a client is sent them. */
export function conflictsOf({ conflicts }: Pick<BranchMerge, 'conflicts'>): PathConflict[] {
  return listConflicts(conflicts.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
}

export async function removePacks({ packFolder }: Pick<MergedBranches, 'packFolder'>): Promise<void> {
  if (packFolder !== undefined) await removePackFolder(packFolder)
}

async function runMerge(
  { catalog, longTasks, store }: MergeParts,
  branch: Branch,
  aim: Omit<BranchMergeAim, 'withheld'>,
): Promise<BranchMerge> {
  const { id, slug, request } = branch
  const withheld = catalog.withdrawals.list(id)
  const { dataDir } = store.repositories
  return await longTasks.run(
    'prepareBranchMerge',
    { dataDir, site: { id, slug, request }, aim: { ...aim, withheld } },
    branch,
  )
}

/** Adds a conflict for each page that would take the path of a page with another id. Of two sidecars with one path, the lower id counts. */
async function withClashes(call: MergeParts, merged: BranchMerge, from: Site, into: Site): Promise<BranchMerge> {
  const clashes: PathConflict[] = []
  const changed = new Set(merged.sidecars.map(({ pageId }) => pageId))
  for (let at = 0; at < merged.sidecars.length; at += MAX_ASKED) {
    const asked = merged.sidecars.slice(at, at + MAX_ASKED)
    const [theirs, ours] = [await ownersOf(call, from, asked), await ownersOf(call, into, asked)]
    for (const [index, { pageId, path }] of asked.entries()) {
      const owner = ours[index]
      if (owner === undefined || owner === pageId || changed.has(owner) || theirs[index] !== pageId) continue
      const hunks = `Another page has the path ${path} since, with the id ${owner}. Move or remove one of the two.`
      clashes.push({ path: treePathOf(path), reason: 'in_the_way', hunks })
    }
  }
  return clashes.length === 0 ? merged : { ...merged, conflicts: [...merged.conflicts, ...clashes] }
}

async function ownersOf(
  { indexFollower }: MergeParts,
  site: Site,
  sidecars: readonly NamedSidecar[],
): Promise<(string | undefined)[]> {
  return await indexFollower.read(site, (index) => sidecars.map(({ path }) => index.pages.findByPath(path)?.id))
}
