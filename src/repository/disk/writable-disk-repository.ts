// A branch of a bare repository on this machine's disk, for writing: a site's main, or a change request. Commits are durable once they are made. Commits of others are made
// durable before anything is built on them.

import { dirname, join } from 'node:path'
import { syncDirectory, syncFilesystem, syncFilesystemAside } from '../../git/disk/durable.js'
import { OutcomeUnknown, RefMoved, RepositoryInvalid } from '../../git/objects/errors.js'
import type { NewObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { isFirstParentAncestor } from '../../git/repository/history.js'
import { type LockedRef, lockRef, moveRef, type RefLog, readRef, refuseLocked } from '../../git/repository/ref.js'
import { openBorrower, openRepository } from '../../git/repository/repository.js'
import {
  encodePack,
  type EncodedPack,
  type InstalledPack,
  installPack,
  installPackFiles,
} from '../../git/storage/pack-writer.js'
import { assertOwnTree } from '../format/site-identity.js'
import { DRAFTS_HOOKS, hooksOfSite } from '../hooks/site-hooks.js'
import type { CommitOutcome, NextCommit, WritableRepository } from '../protocol/repository.js'
import { branchOf } from '../protocol/site-place.js'
import type { PackToInstall, SiteRef } from '../protocol/write.js'
import { PushGrace } from '../pushing/push-grace.js'
import type { PublishedRequests } from '../protocol/published-requests.js'
import { type BranchOptions, DiskRepository } from './disk-repository.js'
import { type DurableHeads, folderKeyOf } from './durable-heads.js'
import { keepLost } from './keep-lost.js'
import { MAX_PACKS } from './maintain.js'

const MAX_PACK_BYTES = 256 * 1024 * 1024
/**
 * The limit for walking commits between our last head and an operator's, to see whether ours was lost. With more commits between
 * them, the indexer reports the loss, as it walks them anyway.
 */
const MAX_FOREIGN_COMMITS = 1000

/** A sync of the file system that runs while the thread goes on. */
interface SyncAside {
  head: Oid
  isDone: boolean
  /** Undefined once the sync has ended, successfully or not. */
  ended: Promise<void> | undefined
}

/** The change requests of the site on this disk, and which of them this thread published. */
export interface RequestsHere {
  gitdir: string
  published: PublishedRequests
}

interface WritingOptions extends BranchOptions {
  heads: DurableHeads
  requests: RequestsHere
}

export class WritableDiskRepository extends DiskRepository implements WritableRepository {
  readonly #gitdir: string
  readonly #site: SiteRef
  readonly #branch: string
  /** Undefined for a change request: nobody pushes to it by path. */
  readonly #grace: PushGrace | undefined
  /** The durable heads of this thread, also from before this folder was opened. */
  readonly #heads: DurableHeads
  readonly #folderKey: string
  /** The last foreign head that was to be made durable off this thread. */
  #aside: SyncAside | undefined
  #locked: LockedRef | undefined
  /** The ref was renamed, but its folder is not synced: nothing is built on it until a sync succeeds. */
  #isSyncOwed = false
  /** Packs of commits whose outcome is unknown. Their `.keep` protects them from an operator's gc, since they may be published. */
  #heldPacks: InstalledPack[] = []
  /** Packs of our commits since maintenance was last due. */
  #packs = 0
  #packBytes = 0

  readonly #requests: RequestsHere

  constructor(gitdir: string, site: SiteRef, { heads, requests, ...options }: WritingOptions) {
    if (site.request === undefined) openRepository(gitdir, hooksOfSite(site.id))
    else openBorrower(gitdir, DRAFTS_HOOKS)
    super(gitdir, options)
    this.#gitdir = gitdir
    this.#site = site
    this.#branch = branchOf(site)
    this.#grace = site.request === undefined ? new PushGrace(gitdir) : undefined
    this.#heads = heads
    this.#requests = requests
    this.#folderKey = site.request === undefined ? folderKeyOf(gitdir) : `${folderKeyOf(gitdir)} ${site.request}`
  }

  /** The newest head that is known to be on the disk with everything under it, and to belong to this site. */
  get #durable(): Oid | undefined {
    return this.#heads.get(this.#folderKey)
  }

  /** Throws OtherSitesRepository if another repository was put in place of this one. */
  override head(): Oid | undefined {
    const head = super.head()
    if (head !== undefined && head !== this.#durable) this.#assertOwn(head)
    return head
  }

  untilHeadIsDurable(): Promise<void> | undefined {
    if (this.#aside?.ended !== undefined) return this.#aside.ended
    const head = this.#headIfReadable()
    if (head === undefined || head === this.#durable || head === this.#aside?.head) return undefined
    const aside: SyncAside = { head, isDone: false, ended: undefined }
    this.#aside = aside
    // If it fails, `headToBuildOn` tries again and throws the reason.
    const failed = () => undefined
    aside.ended = syncFilesystemAside(this.#gitdir)
      .then(() => void (aside.isDone = true), failed)
      .finally(() => (aside.ended = undefined))
    return aside.ended
  }

  headToBuildOn(): Oid {
    if (this.#locked === undefined) refuseLocked(this.#gitdir, this.#branch)
    return this.settle()
  }

  settle(): Oid {
    this.#syncIfOwed()
    const head = this.#locked === undefined ? readRef(this.#gitdir, this.#branch) : this.#locked.read()
    if (head === undefined) throw new RepositoryInvalid(`${this.#branch} does not exist`)
    if (head !== this.#durable) this.#makeDurable(head)
    return head
  }

  /** Installs the pack first, then renames the ref: the instant of publication. `encoded` is the pack of the objects, if already made. */
  commit(
    { expected, next, objects, packs, log, publishes = [] }: NextCommit,
    encoded = packOf(objects),
  ): CommitOutcome {
    const installed: InstalledPack[] = []
    const { gitdir, published } = this.#requests
    published.refuse(this.#site)
    try {
      for (const files of packs) installed.push(installPackFiles(this.#gitdir, files))
      if (encoded !== undefined) installed.push(installPack(this.#gitdir, encoded))
      const headOf = (request: string) => readRef(gitdir, branchOf({ request }))
      published.during(publishes, headOf, () => this.#moveMain(expected, next, log))
    } catch (error) {
      if (error instanceof OutcomeUnknown) {
        this.#isSyncOwed = true
        this.#heldPacks.push(...installed)
      } else for (const pack of installed) pack.discard()
      if (error instanceof RefMoved) return 'moved'
      throw error
    }
    for (const pack of installed) pack.release()
    this.#heads.set(this.#folderKey, next)
    this.#packs += installed.length
    this.#packBytes += packs.reduce((sum, { bytes }) => sum + bytes, encoded?.pack.length ?? 0)
    // The folders that they replace stay in memory too: the caller compares both.
    this.objects.remember(objects.map(({ oid, type, content }) => ({ oid, type, content })))
    return 'done'
  }

  /** Installs packs without moving main. Until the result is called, git does not remove them. */
  install(packs: readonly PackToInstall[]): () => void {
    const installed = packs.map((files) => installPackFiles(this.#gitdir, files))
    this.#packs += packs.length
    return () => installed.forEach((pack) => pack.release())
  }

  async holdMain<T>(work: () => Promise<T>): Promise<T> {
    this.#locked = lockRef(this.#gitdir, this.#branch)
    try {
      return await work()
    } finally {
      this.#locked.release()
      this.#locked = undefined
    }
  }

  pauseFor(now: number): number {
    return this.#grace?.holdFor(now) ?? 0
  }

  expectPush(now: number): number {
    return this.#grace?.expectPush(now) ?? 0
  }

  endPush(now: number): void {
    this.#grace?.pushLanded(now)
  }

  /** Returns true once for every 200 packs of our commits, or 256 MiB. The patrol counts foreign packs, so that no write lists files. */
  takeMaintenanceDue(): boolean {
    if (this.#packs < MAX_PACKS && this.#packBytes < MAX_PACK_BYTES) return false
    this.#packs = 0
    this.#packBytes = 0
    return true
  }

  #moveMain(expected: Oid, next: Oid, log: RefLog): void {
    if (this.#locked === undefined) return moveRef(this.#gitdir, this.#branch, expected, next, log)
    const found = this.#locked.read()
    if (found !== expected) throw new RefMoved(this.#branch, found)
    this.#locked.commit(next, log)
  }

  /** Makes a foreign head durable: a synced commit on an unsynced parent is unreadable after a power cut. */
  #makeDurable(head: Oid): void {
    this.#assertOwn(head)
    const isDone = this.#aside?.head === head && this.#aside.isDone
    if (!isDone) syncFilesystem(this.#gitdir)
    this.#aside = undefined
    this.#grace?.pushLanded(performance.now())
    const last = this.#durable
    this.#heads.set(this.#folderKey, head)
    if (last === undefined) return
    const isAncestor = isFirstParentAncestor(this.objects, last, head, MAX_FOREIGN_COMMITS)
    if (isAncestor === false) keepLost(this.#gitdir, last)
  }

  /** Returns undefined if the head cannot be read; `headToBuildOn` throws the reason. */
  #headIfReadable(): Oid | undefined {
    try {
      return readRef(this.#gitdir, this.#branch, 0)
    } catch {
      return undefined
    }
  }

  #assertOwn(head: Oid): void {
    assertOwnTree(this.objects, this.objects.readCommit(head).tree, this.#site.id)
  }

  #syncIfOwed(): void {
    if (!this.#isSyncOwed) return
    syncDirectory(dirname(join(this.#gitdir, this.#branch)))
    this.#isSyncOwed = false
    for (const pack of this.#heldPacks.splice(0)) pack.release()
  }
}

/** Packs the objects; undefined if there are none. */
export function packOf(objects: readonly NewObject[]): EncodedPack | undefined {
  return objects.length > 0 ? encodePack(objects) : undefined
}
