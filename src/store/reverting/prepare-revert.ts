// Works out what undoing commits would change in a site as it is now, away from the writer's thread. The writer makes the changes
// only where the files are still as they were here.

import { GitFailed } from '../../git/command.js'
import { parseMessage } from '../../git/objects/commit.js'
import { diffTrees } from '../../git/objects/diff.js'
import type { NewObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { entryAt } from '../../git/repository/history.js'
import { DraftObjects } from '../../git/storage/draft-objects.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { ServiceError } from '../../model/errors.js'
import type { DiskRepositories } from '../disk/disk-repositories.js'
import { parseMetadataPath, SITE_FILE } from '../format/site-format.js'
import { WorkingTree } from '../staging/working-tree.js'
import { toServiceError } from '../protocol/failure.js'
import type { FileEdit, PreparedRevert, SiteRef } from '../protocol/write.js'
import { type CommitConflict, conflictsOf, refuseConflicts } from './revert-conflicts.js'
import { putBack } from './put-back.js'

export interface RevertAim {
  head: Oid
  /** Newest first. */
  commits: readonly Oid[]
  /** Blobs that a revert must not publish again. */
  withheld: readonly Oid[]
}

/** One commit to undo, as a merge: from the tree that it left (`base`) back to its parent's (`theirs`). */
interface Step {
  commit: Oid
  base: Oid
  theirs: Oid
}

/**
 * Undoes the commits one after the other, newest first, and leaves those between them as they are. Throws `version_not_found`,
 * `conflict` for the first commit of a site and for withheld bytes, `revert_conflict` with the conflicts of every commit that
 * cannot be undone, `site_busy` where git takes longer than 30 s for one of them, and `site_unreadable`.
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
  const headTree = objects.readCommit(head).tree
  const undoing = new Undoing(repositories, site, objects, headTree)
  for (const step of steps) await undoing.undo(step)
  refuseConflicts(undoing.conflicts, commits.length)
  const { draft, root } = undoing.finish()
  const edits = editsOf(draft, objects, headTree, root)
  refuseWithheld(edits, withheld)
  const touched = [...undoing.touched, ...edits.map(({ path }) => path)]
  const judged = [...new Set(touched)].map((path) => ({ path, oid: entryAt(objects, headTree, path)?.oid ?? null }))
  const [newest = ''] = commits
  return { subject: parseMessage(objects.readCommit(newest).message).subject, edits, judged }
}

/** The site's tree while one commit after the other is taken back. */
class Undoing {
  readonly #repositories: DiskRepositories
  readonly #site: SiteRef
  readonly #objects: ObjectReader
  readonly #tree: WorkingTree
  /** What was made so far: no repository holds it. */
  readonly #made: NewObject[] = []
  readonly touched = new Set<string>()
  readonly conflicts: CommitConflict[] = []

  constructor(repositories: DiskRepositories, site: SiteRef, objects: ObjectReader, tree: Oid) {
    this.#repositories = repositories
    this.#site = site
    this.#objects = objects
    this.#tree = new WorkingTree(objects, tree)
  }

  /** A commit that conflicts is noted and stays. */
  async undo(step: Step): Promise<void> {
    const changes = [...diffTrees(this.#objects, step.base, step.theirs)]
    if (changes.some(({ path }) => path === SITE_FILE)) {
      throw new ServiceError('conflict', 'This commit changed the site file, which is never reverted.')
    }
    for (const { path } of changes) this.touched.add(path)
    if (!putBack(this.#tree, changes)) await this.#merge(step)
  }

  finish(): { draft: ObjectReader; root: Oid } {
    this.#flush()
    return { draft: new DraftObjects(this.#objects, this.#made), root: this.#tree.root }
  }

  /** By git, which follows renames and joins changes of different lines. */
  async #merge({ commit, base, theirs }: Step): Promise<void> {
    this.#flush()
    const ours = this.#tree.root
    const merged = await this.#repositories.mergeTrees(this.#site, { base, ours, theirs }, this.#made)
    const draft = new DraftObjects(this.#objects, [...this.#made, ...merged.objects])
    const conflicts = conflictsOf(draft, merged, { commit, ours })
    if (conflicts.length > 0) {
      this.conflicts.push(...conflicts)
      return
    }
    const changes = [...diffTrees(draft, ours, merged.tree)].filter((change) => !removesSidecar(change))
    // Removals first: a file may take the place of a folder.
    for (const { path, after } of changes) if (after === undefined) this.#tree.remove(path)
    for (const { path, after } of changes) {
      if (after === undefined) continue
      this.#tree.put(path, draft.readBlob(after.oid))
      this.#tree.putExisting(path, after.mode, after.oid)
    }
  }

  #flush(): void {
    this.#made.push(...this.#tree.flush())
  }
}

/** A revert that removes a page keeps its sidecar, so that the path keeps its id. */
function removesSidecar({ path, after }: { path: string; after?: unknown }): boolean {
  return after === undefined && parseMetadataPath(path)?.kind === 'sidecar'
}

/** In the given order. Every commit must be on the head's first-parent history. */
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
    const { tree: base, parents } = objects.readCommit(commit)
    const [parent] = parents
    if (parent === undefined) {
      throw new ServiceError('conflict', 'The first commit made the site and cannot be reverted.')
    }
    return { commit, base, theirs: objects.readCommit(parent).tree }
  })
}

function editsOf(draft: ObjectReader, objects: ObjectReader, before: Oid, after: Oid): FileEdit[] {
  return [...diffTrees(draft, before, after)].map(({ path, after: entry }) => {
    if (entry === undefined) return { path, after: null }
    return { path, after: entry, ...(!objects.has(entry.oid) && { content: draft.readBlob(entry.oid) }) }
  })
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

/** git has an exit code where it cannot read the repository, and none where it was ended at its deadline. */
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
