// The state that the operations of one site work on: the tree that is being built, and the answer to the question of every
// precondition, which commit changed these files last.

import type { ObjectReader } from '../../git/storage/object-reader.js'
import { UninstalledPacks } from '../../git/streams/uninstalled-packs.js'
import { entryAt } from '../../git/repository/history.js'
import type { Oid } from '../../git/objects/oid.js'
import { ServiceError } from '../../model/errors.js'
import type { Sidecar } from '../../model/commits/facts.js'
import { isFile } from '../format/file-mode.js'
import { MAX_SIDECAR_BYTES, parseSidecar, sidecarPathOf } from '../format/site-format.js'
import { OwnCommits, type SidecarPaths } from './own-commits.js'
import { WorkingTree } from './working-tree.js'

/** One write looks back over no more commits of others: writes of other sites wait for the same thread. */
const MAX_STEPS_BACK = 1_000

/** The last change that a caller knew, and the head that it read then. */
export interface Known {
  lastChange: Oid
  asOf: Oid
}

export class SiteState {
  readonly siteId: string
  /** The repository's objects, behind those of the packs that the writes of the batch bring. */
  readonly odb: UninstalledPacks
  readonly tree: WorkingTree
  #head: Oid
  readonly #own = new OwnCommits()

  constructor(siteId: string, repository: ObjectReader, head: Oid) {
    this.siteId = siteId
    this.odb = new UninstalledPacks(repository)
    this.tree = new WorkingTree(this.odb, repository.readCommit(head).tree)
    this.#head = head
  }

  /** The newest commit built, whether or not it is published yet. */
  get head(): Oid {
    return this.#head
  }

  /** Makes a commit that was just built on the head the new head. */
  advance(commit: Oid, paths: ReadonlySet<string>): void {
    this.#own.add(commit, { parent: this.#head, paths }, (pageId) => this.sidecar(pageId)?.path)
    this.#head = commit
  }

  /** The batch is stored or dropped: its objects are read from the repository from now on. */
  settle(): void {
    this.tree.settle()
    this.odb.clear()
  }

  /** The sidecar of a page, staged edits included; undefined where there is no valid one. */
  sidecar(pageId: string): Sidecar | undefined {
    const entry = this.tree.entry(sidecarPathOf(pageId))
    const bytes = entry && isFile(entry.mode) ? this.tree.readBlobWithin(entry.oid, MAX_SIDECAR_BYTES) : undefined
    return bytes && parseSidecar(bytes)
  }

  /** The sidecars that changed since a commit; undefined where commits of others came since, or too many of the service. */
  sidecarsSince(asOf: Oid): SidecarPaths | undefined {
    return this.#own.sidecarsBetween(asOf, this.#head)
  }

  /**
   * The commit that last changed any of `paths`. It looks back from the head to the commit that the caller knew: stale
   * knowledge costs time and gives no wrong answer. Throws `site_busy` past 1,000 commits that it must read: a caller that tries
   * again knows what came meanwhile.
   */
  lastChange(paths: readonly string[], known: Known): Oid {
    let at = this.#head
    for (let read = 0; at !== known.asOf; ) {
      if (this.#own.get(at) === undefined && ++read > MAX_STEPS_BACK)
        throw new ServiceError('site_busy', 'Very many commits came meanwhile. Try again in a second.')
      const step = this.#step(at, paths)
      if (step.changed || step.parent === undefined) return at
      at = step.parent
    }
    return known.lastChange
  }

  #step(oid: Oid, paths: readonly string[]): { parent: Oid | undefined; changed: boolean } {
    const own = this.#own.get(oid)
    if (own !== undefined) return { parent: own.parent, changed: paths.some((path) => own.paths.has(path)) }
    const commit = this.odb.readCommit(oid)
    const parent = commit.parents[0]
    if (parent === undefined) return { parent, changed: true }
    const before = this.odb.readCommit(parent).tree
    const changed =
      before !== commit.tree &&
      paths.some((path) => entryAt(this.odb, before, path)?.oid !== entryAt(this.odb, commit.tree, path)?.oid)
    return { parent, changed }
  }
}
