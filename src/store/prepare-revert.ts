// Works out what `git revert` would change in a site as it is now, away from the writer's thread. The writer makes the changes
// only where the files are still as they were here.

import type { Commit } from '../git/objects/commit.js'
import { parseMessage } from '../git/objects/commit.js'
import { diffTrees } from '../git/objects/diff.js'
import type { Oid } from '../git/objects/oid.js'
import { entryAt } from '../git/repository/history.js'
import type { MergeConflict, MergedTrees } from '../git/repository/merge-trees.js'
import { DraftObjects } from '../git/storage/draft-objects.js'
import type { ObjectReader } from '../git/storage/object-reader.js'
import { ServiceError } from '../model/errors.js'
import type { DiskRepositories } from './disk/disk-repositories.js'
import { parseMetadataPath, SITE_FILE } from './format/site-format.js'
import type { FileEdit, PreparedRevert, SiteRef } from './protocol/write.js'

/** Bytes of one conflicting file's hunks that are shown to the client. */
const MAX_HUNKS_BYTES = 64 * 1024

/** Throws `version_not_found`, `conflict` for the first commit, and `revert_conflict` with the conflicting hunks. */
export async function prepareRevert(
  repositories: DiskRepositories,
  site: SiteRef,
  { objects, head, commit: oid }: { objects: ObjectReader; head: Oid; commit: Oid },
): Promise<PreparedRevert> {
  const commit = await findInHistory(repositories, site, objects, head, oid)
  const [parent] = commit.parents
  if (parent === undefined) throw new ServiceError('conflict', 'The first commit made the site and cannot be reverted.')
  const trees = { base: commit.tree, ours: objects.readCommit(head).tree, theirs: objects.readCommit(parent).tree }
  const merged = await repositories.mergeTrees(site, trees)
  const draft = new DraftObjects(objects, merged.objects)
  refuseConflicts(draft, merged, trees.ours)
  const edits = editsOf(draft, trees.ours, merged)
  const touched = [...diffTrees(objects, trees.base, trees.theirs), ...edits].map(({ path }) => path)
  const judged = [...new Set(touched)].map((path) => ({ path, oid: entryAt(objects, trees.ours, path)?.oid ?? null }))
  return { subject: parseMessage(commit.message).subject, edits, judged }
}

async function findInHistory(
  repositories: DiskRepositories,
  site: SiteRef,
  objects: ObjectReader,
  head: Oid,
  oid: Oid,
): Promise<Commit> {
  const isCommit = objects.has(oid) && objects.readHeader(oid).type === 'commit'
  if (isCommit && (await repositories.isInHistory(site, oid, head))) return objects.readCommit(oid)
  throw new ServiceError('version_not_found', "This commit is not in the site's history.")
}

function refuseConflicts(draft: ObjectReader, { tree, conflicts }: MergedTrees, ours: Oid): void {
  const real = conflicts.filter((conflict) => !isKeptSidecar(draft, ours, conflict))
  if (real.length === 0) return
  throw new ServiceError(
    'revert_conflict',
    'Later commits changed the same places. Roll back single pages instead, or revert the later commits first.',
    { conflicts: real.map((conflict) => ({ path: conflict.paths[0] ?? '', hunks: hunksOf(draft, tree, conflict) })) },
  )
}

/** A revert that removes a page keeps its sidecar, however it was changed since: git leaves that one in the tree. */
function isKeptSidecar(draft: ObjectReader, ours: Oid, { paths, type }: MergeConflict): boolean {
  const [path = ''] = paths
  return type === 'CONFLICT (modify/delete)' && isSidecar(path) && entryAt(draft, ours, path) !== undefined
}

/** The file with git's conflict markers; git's sentence where the conflict is not about lines. */
function hunksOf(draft: ObjectReader, tree: Oid, { paths, type, message }: MergeConflict): string {
  const entry = type === 'CONFLICT (contents)' ? entryAt(draft, tree, paths[0] ?? '') : undefined
  const text = entry === undefined ? message : draft.readBlob(entry.oid).toString()
  return text.slice(0, MAX_HUNKS_BYTES)
}

function editsOf(draft: ObjectReader, ours: Oid, { tree, objects }: MergedTrees): FileEdit[] {
  const made = new Map(objects.map(({ oid, content }) => [oid, content]))
  const edits: FileEdit[] = []
  for (const { path, after } of diffTrees(draft, ours, tree)) {
    if (path === SITE_FILE)
      throw new ServiceError('conflict', 'This commit changed the site file, which is never reverted.')
    if (after === undefined && isSidecar(path)) continue
    const content = after && made.get(after.oid)
    edits.push({ path, after: after ?? null, ...(content && { content }) })
  }
  return edits
}

function isSidecar(path: string): boolean {
  return parseMetadataPath(path)?.kind === 'sidecar'
}
