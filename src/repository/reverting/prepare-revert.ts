// Computes the changes that undo commits in a site as it is now, outside the writer's thread. The writer makes them only if the files
// have not changed since.

import { GitFailed, runGit } from '../../git/command.js'
import { parseMessage } from '../../git/objects/commit.js'
import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { ServiceError } from '../../model/errors.js'
import type { DiskRepositories } from '../disk/disk-repositories.js'
import { SITE_FILE } from '../format/site-format.js'
import { type FindFaults, findMisfits } from '../merging/find-misfits.js'
import { followMoves } from '../merging/follow-moves.js'
import { fileOf, mergeChanges, type PathConflict } from '../merging/merge-changes.js'
import { isSameEntry } from '../merging/merge-entries.js'
import { refuseWithheld, toPrepared } from '../merging/prepared-merge.js'
import { TextMerger } from '../merging/text-merger.js'
import { toServiceError } from '../protocol/failure.js'
import type { PreparedRevert } from '../protocol/prepared.js'
import type { SiteRef, Undoing } from '../protocol/write.js'
import { findOrphans } from '../staging/orphan-records.js'
import { WorkingTree } from '../staging/working-tree.js'
import { changesBack, subjectOfReturn } from './changes-back.js'
import { hasPage, pagesComing, withoutKeptSidecars } from './kept-sidecars.js'
import { type CommitConflict, refuseConflicts } from './revert-conflicts.js'

export interface RevertAim {
  head: Oid
  /** Commits are named newest first. */
  undoing: Undoing
  /** Blobs that a revert must not publish again. */
  withheld: readonly Oid[]
}

/** One commit to undo: the changes from its tree back to its first parent's. Or a commit to go back to: those from the head's tree. */
interface Step {
  commit: Oid
  /** The tree that the changes begin at. */
  from: Oid
  /** `tree` has the steps before this one staged. */
  changesIn: (tree: WorkingTree) => readonly TreeChange[]
}

/**
 * Undoes the commits one after the other, newest first, and leaves those between them as they are. Or goes back to one. Throws `version_not_found`,
 * `site_unreadable`, and `conflict` for the first commit of a site and for withheld blobs. Throws `revert_conflict` with the conflicts of
 * every commit that cannot be undone, or with the records that would lose their collection or break its schema. Throws `too_costly` if more
 * than 500 texts must be merged, and `site_busy` if git cannot do its part now. Without `findFaults`, merged records are not checked.
 */
export async function prepareRevert(
  repositories: DiskRepositories,
  site: SiteRef,
  aim: RevertAim,
  findFaults?: FindFaults,
): Promise<PreparedRevert> {
  const repository = repositories.open(site)
  try {
    return await prepare(repositories, site, repository.objects, aim, findFaults)
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
  { head, undoing, withheld }: RevertAim,
  findFaults: FindFaults | undefined,
): Promise<PreparedRevert> {
  const { tree: live } = objects.readCommit(head)
  const steps =
    undoing.commits === undefined
      ? [{ commit: undoing.backTo, from: live, changesIn: () => changesBack(objects, site.id, head, undoing) }]
      : await findSteps(repositories, site, objects, head, undoing.commits)
  const tree = new WorkingTree(objects, live)
  const merger = new TextMerger(repositories.gitdir(site), objects)
  /** The last commit whose revert touches each path. */
  const touched = new Map<string, Oid>()
  const conflicts: CommitConflict[] = []
  for (const { commit, from, changesIn } of steps) {
    const base = new WorkingTree(objects, from)
    const { changes, paths, undo } = followMoves({ objects, base, ours: tree, changes: changesIn(tree) }, merger)
    for (const path of [...changes.map((change) => change.path), ...paths]) touched.set(path, commit)
    const found = await mergeChanges(tree, changes, merger)
    if (found.length > 0) undo()
    conflicts.push(...found.map((conflict) => ({ commit, ...conflict })))
  }
  refuseConflicts(conflicts, steps.length)
  const prepared = toPrepared(tree, touched.keys(), merger.made)
  const { edits } = prepared
  const [newest = ''] = steps.map(({ commit }) => commit)
  const refuse = (found: readonly { cause: string; conflict: PathConflict }[]) =>
    refuseConflicts(
      found.map(({ cause, conflict }) => ({ commit: touched.get(cause) ?? newest, ...conflict })),
      steps.length,
    )
  refuse(findOrphans(tree, edits))
  // A record that comes back whole is not checked again.
  const isChecked = ({ content }: { content?: Uint8Array }) => content === undefined
  const misfits = findFaults && (await findMisfits({ tree, merger, edits }, isChecked, findFaults))
  refuse(misfits?.map((conflict) => ({ cause: conflict.path, conflict })) ?? [])
  refuseWithheld(edits, withheld)
  return { subject: subjectOf(objects, undoing), ...prepared }
}

function subjectOf(objects: ObjectReader, undoing: Undoing): string {
  const { commits } = undoing
  if (commits === undefined) return subjectOfReturn(undoing)
  if (commits.length > 1) return `Revert ${commits.length} commits`
  return `Revert "${parseMessage(objects.readCommit(commits[0] ?? '').message).subject}"`
}

/** Lists the changes. Throws `conflict` if the site file is among them. */
function changesOf(tree: WorkingTree, objects: ObjectReader, siteId: string, from: Oid, to: Oid): TreeChange[] {
  const changes = [...diffTrees(objects, from, to)]
  if (changes.some(({ path }) => path === SITE_FILE)) {
    throw new ServiceError('conflict', 'This commit changed the site file, which is never reverted.')
  }
  const isReplaced = (change: TreeChange) =>
    isSameEntry(fileOf(tree.entry(change.path)), change.before) && hasPage(objects, to, change)
  return withoutKeptSidecars(siteId, changes, () => pagesComing(changes), isReplaced)
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
  const history = new Set(isCommit ? await historyFrom(repositories.gitdir(site), oldest, head) : [])
  return commits.map((commit) => {
    if (!history.has(commit)) throw notInHistory()
    const { tree: from, parents } = objects.readCommit(commit)
    const [parent] = parents
    if (parent === undefined) {
      throw new ServiceError('conflict', 'The first commit made the site and cannot be reverted.')
    }
    const { tree: to } = objects.readCommit(parent)
    return { commit, from, changesIn: (tree) => changesOf(tree, objects, site.id, from, to) }
  })
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

/** Lists the head's first-parent history back to `commit`, which comes last; empty if the history does not contain it. */
async function historyFrom(gitdir: string, commit: Oid, head: Oid): Promise<Oid[]> {
  if (commit === head) return [head]
  const listed = await runGit(gitdir, ['rev-list', '--first-parent', '--parents', `${commit}..${head}`])
  const lines = listed.toString().trimEnd().split('\n')
  const commits = lines.map((line) => line.split(' '))
  const [, parent] = commits.at(-1) ?? []
  return parent === commit ? [...commits.map(([oid = '']) => oid), commit] : []
}
