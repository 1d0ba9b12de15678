// The state on which the operations of one site work: the tree that is being built, and which commit last changed a file. Every
// precondition asks for the latter.

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

/** The limit of foreign commits that one write looks back over: writes of other sites wait for the same thread. */
const MAX_STEPS_BACK = 1_000

/** The last change that a caller knew, and the head that it read then. */
export interface Known {
  lastChange: Oid
  asOf: Oid
}

export class SiteState {
  readonly siteId: string
  /** The objects of the packs that the batch's writes bring, and of the repository. */
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

  /** The newest commit that was built, published or not. */
  get head(): Oid {
    return this.#head
  }

  /** Makes a commit that was just built on the head the new head. */
  advance(commit: Oid, paths: ReadonlySet<string>): void {
    this.#own.add(commit, { parent: this.#head, paths }, (pageId) => this.sidecar(pageId)?.path)
    this.#head = commit
  }

  /** Ends a batch that is stored or dropped: its objects are read from the repository from now on. */
  settle(): void {
    this.tree.settle()
    this.odb.clear()
  }

  /** Returns the sidecar of a page, staged edits included; undefined if there is no valid one. */
  sidecar(pageId: string): Sidecar | undefined {
    const entry = this.tree.entry(sidecarPathOf(pageId))
    const bytes = entry && isFile(entry.mode) ? this.tree.readBlobWithin(entry.oid, MAX_SIDECAR_BYTES) : undefined
    return bytes && parseSidecar(bytes)
  }

  /** Returns the sidecars that changed since a commit; undefined after foreign commits, or too many of the service. */
  sidecarsSince(asOf: Oid): SidecarPaths | undefined {
    return this.#own.sidecarsBetween(asOf, this.#head)
  }

  /**
   * Returns the commit that last changed any of `paths`. Looks back from the head to the commit that the caller knew: old knowledge costs
   * time and gives no wrong answer. Throws `site_busy` past 1,000 commits that it must read: a caller that tries again knows the commits
   * made meanwhile.
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
