// Computes the changes that undo commits in a site as it is now, outside the writer's thread. The writer makes them only if the files
// have not changed since.

import { GitFailed } from '../../git/command.js'
import { parseMessage } from '../../git/objects/commit.js'
import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { ServiceError } from '../../model/errors.js'
import type { DiskRepositories } from '../disk/disk-repositories.js'
import { parseMetadataPath, SITE_FILE } from '../format/site-format.js'
import { fileOf, mergeChanges } from '../merging/merge-changes.js'
import { isSameEntry } from '../merging/merge-entries.js'
import { TextMerger } from '../merging/text-merger.js'
import { toServiceError } from '../protocol/failure.js'
import type { FileEdit, JudgedFile, PreparedRevert, SiteRef } from '../protocol/write.js'
import { findOrphans } from '../staging/orphan-records.js'
import { WorkingTree } from '../staging/working-tree.js'
import { type CommitConflict, refuseConflicts } from './revert-conflicts.js'

export interface RevertAim {
  head: Oid
  /** Commits, newest first. */
  commits: readonly Oid[]
  /** Blobs that a revert must not publish again. */
  withheld: readonly Oid[]
}

/** One commit to undo: from its tree back to its first parent's. */
interface Step {
  commit: Oid
  from: Oid
  to: Oid
}

/**
 * Undoes the commits one after the other, newest first, and leaves those between them as they are. Throws `version_not_found`,
 * `conflict` for the first commit of a site and for withheld blobs, `revert_conflict` with the conflicts of every commit that
 * cannot be undone, or with the records that would lose their collection, `too_costly` if more than 500 texts must be merged, `site_busy` if git cannot do its part
 * now, and `site_unreadable`.
 */
export async function prepareRevert(
  repositories: DiskRepositories,
  site: SiteRef,
  aim: RevertAim,
): Promise<PreparedRevert> {
  const repository = repositories.open(site)
  try {
    return await prepare(repositories, site, repository.objects, aim)
  } catch (error) {
    throw error instanceof GitFailed ? gitFailed(error) : toServiceError(error)
  } finally {
    repository.close()
  }
}

async function prepare(
  repositories: DiskRepositories,
  site: SiteRef,
  objects: ObjectReader,
  { head, commits, withheld }: RevertAim,
): Promise<PreparedRevert> {
  const steps = await findSteps(repositories, site, objects, head, commits)
  const tree = new WorkingTree(objects, objects.readCommit(head).tree)
  const merger = new TextMerger(repositories.gitdir(site), objects)
  /** The last commit whose revert touches each path. */
  const touched = new Map<string, Oid>()
  const conflicts: CommitConflict[] = []
  for (const { commit, from, to } of steps) {
    const changes = changesOf(objects, from, to)
    for (const { path } of changes) touched.set(path, commit)
    conflicts.push(...(await mergeChanges(tree, changes, merger)).map((conflict) => ({ commit, ...conflict })))
  }
  refuseConflicts(conflicts, commits.length)
  const files = Array.from(touched.keys(), (path) => ({ path, before: fileOf(tree.flushedEntry(path)) ?? null }))
  const edits = files.flatMap((file) => editOf(tree, file, merger.made))
  const [newest = ''] = commits
  const orphans = findOrphans(tree, edits)
  refuseConflicts(
    orphans.map(({ conflict, cause }) => ({ commit: touched.get(cause) ?? newest, ...conflict })),
    commits.length,
  )
  refuseWithheld(edits, withheld)
  return { subject: parseMessage(objects.readCommit(newest).message).subject, edits, judged: files }
}

/** Lists the changes. Throws `conflict` if the site file is among them. */
function changesOf(objects: ObjectReader, from: Oid, to: Oid): TreeChange[] {
  const changes = [...diffTrees(objects, from, to)]
  if (changes.some(({ path }) => path === SITE_FILE)) {
    throw new ServiceError('conflict', 'This commit changed the site file, which is never reverted.')
  }
  return changes.filter((change) => !removesSidecar(change))
}

/** Whether the change removes a sidecar. A revert that removes a page keeps its sidecar, so that the path keeps its id. */
function removesSidecar({ path, after }: TreeChange): boolean {
  return after === undefined && parseMetadataPath(path)?.kind === 'sidecar'
}

/** Finds the steps in the given order. Every commit must be on the head's first-parent history. */
async function findSteps(
  repositories: DiskRepositories,
  site: SiteRef,
  objects: ObjectReader,
  head: Oid,
  commits: readonly Oid[],
): Promise<Step[]> {
  const oldest = commits.at(-1) ?? ''
  const isCommit = objects.has(oldest) && objects.readHeader(oldest).type === 'commit'
  const history = new Set(isCommit ? await repositories.historyFrom(site, oldest, head) : [])
  return commits.map((commit) => {
    if (!history.has(commit)) throw notInHistory()
    const { tree: from, parents } = objects.readCommit(commit)
    const [parent] = parents
    if (parent === undefined) {
      throw new ServiceError('conflict', 'The first commit made the site and cannot be reverted.')
    }
    return { commit, from, to: objects.readCommit(parent).tree }
  })
}

/** Returns the staged file, if it differs from the head's. */
function editOf(tree: WorkingTree, { path, before }: JudgedFile, made: ReadonlyMap<Oid, Buffer>): FileEdit[] {
  const after = fileOf(tree.entry(path))
  if (isSameEntry(after, before ?? undefined)) return []
  const content = after && made.get(after.oid)
  return [{ path, after: after ?? null, ...(content && { content }) }]
}

function refuseWithheld(edits: readonly FileEdit[], withheld: readonly Oid[]): void {
  const isWithheld = new Set(withheld)
  const found = edits.find(({ after }) => after !== null && isWithheld.has(after.oid))
  if (found === undefined) return
  throw new ServiceError(
    'conflict',
    `This would publish a withdrawn version again, in ${found.path}: publish other html there first.`,
    { path: found.path },
  )
}

function notInHistory(): ServiceError {
  return new ServiceError('version_not_found', "This commit is not in the site's history.")
}

/** Translates a failure of git: it has an exit code if git cannot read the repository, and none if git was stopped at its deadline. */
function gitFailed(cause: GitFailed): ServiceError {
  const error =
    cause.exitCode === undefined
      ? new ServiceError('site_busy', 'The revert took too long to prepare. Try again, or revert in a clone and push.')
      : new ServiceError(
          'site_unreadable',
          "git cannot read this site's repository. Its operator finds the reason with fsck.",
        )
  return Object.assign(error, { cause })
}
