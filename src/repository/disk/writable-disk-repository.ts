// A site's bare repository on this machine's disk, for writing. Commits are durable once they are made. Commits of others are made
// durable before anything is built on them.

import { dirname, join } from 'node:path'
import { syncDirectory, syncFilesystem, syncFilesystemAside } from '../../git/disk/durable.js'
import { OutcomeUnknown, RefMoved, RepositoryInvalid } from '../../git/objects/errors.js'
import type { NewObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { isFirstParentAncestor } from '../../git/repository/history.js'
import { type LockedRef, lockRef, moveRef, type RefLog, readRef, refuseLocked } from '../../git/repository/ref.js'
import { openRepository } from '../../git/repository/repository.js'
import {
  encodePack,
  type EncodedPack,
  type InstalledPack,
  installPack,
  installPackFiles,
} from '../../git/storage/pack-writer.js'
import { MAIN } from '../format/main-ref.js'
import { assertOwnTree } from '../format/site-identity.js'
import { hooksOfSite } from '../hooks/site-hooks.js'
import type { CommitOutcome, NextCommit, WritableRepository } from '../protocol/repository.js'
import type { PackToInstall, SiteRef } from '../protocol/write.js'
import { DiskRepository } from './disk-repository.js'
import { type DurableHeads, folderKeyOf } from './durable-heads.js'
import { keepLost } from './keep-lost.js'
import { MAX_PACKS } from './maintain.js'
import { OperatorPause } from './operator-pause.js'

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

export class WritableDiskRepository extends DiskRepository implements WritableRepository {
  readonly #gitdir: string
  readonly #site: SiteRef
  readonly #pause: OperatorPause
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

  constructor(gitdir: string, site: SiteRef, heads: DurableHeads) {
    openRepository(gitdir, hooksOfSite(site.id))
    super(gitdir)
    this.#gitdir = gitdir
    this.#site = site
    this.#pause = new OperatorPause(gitdir)
    this.#heads = heads
    this.#folderKey = folderKeyOf(gitdir)
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
    if (this.#locked === undefined) refuseLocked(this.#gitdir, MAIN)
    return this.settle()
  }

  settle(): Oid {
    this.#syncIfOwed()
    const head = this.#locked === undefined ? readRef(this.#gitdir, MAIN) : this.#locked.read()
    if (head === undefined) throw new RepositoryInvalid(`${MAIN} does not exist`)
    if (head !== this.#durable) this.#makeDurable(head)
    return head
  }

  /** Installs the pack first, then renames the ref: the instant of publication. `encoded` is the pack of the objects, if already made. */
  commit({ expected, next, objects, packs, log }: NextCommit, encoded = packOf(objects)): CommitOutcome {
    const installed: InstalledPack[] = []
    try {
      for (const files of packs) installed.push(installPackFiles(this.#gitdir, files))
      if (encoded !== undefined) installed.push(installPack(this.#gitdir, encoded))
      this.#moveMain(expected, next, log)
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
    this.remember(objects)
    return 'done'
  }

  /** Installs packs without moving main. */
  install(packs: readonly PackToInstall[]): void {
    for (const files of packs) installPackFiles(this.#gitdir, files).release()
    this.#packs += packs.length
  }

  async holdMain<T>(work: () => Promise<T>): Promise<T> {
    this.#locked = lockRef(this.#gitdir, MAIN)
    try {
      return await work()
    } finally {
      this.#locked.release()
      this.#locked = undefined
    }
  }

  pauseFor(now: number): number {
    return this.#pause.holdFor(now)
  }

  expectPush(now: number): number {
    return this.#pause.expectPush(now)
  }

  endPush(now: number): void {
    this.#pause.pushLanded(now)
  }

  /** Returns true once for every 200 packs of our commits, or 256 MiB. The patrol counts foreign packs, so that no write lists files. */
  takeMaintenanceDue(): boolean {
    if (this.#packs < MAX_PACKS && this.#packBytes < MAX_PACK_BYTES) return false
    this.#packs = 0
    this.#packBytes = 0
    return true
  }

  #moveMain(expected: Oid, next: Oid, log: RefLog): void {
    if (this.#locked === undefined) return moveRef(this.#gitdir, MAIN, expected, next, log)
    const found = this.#locked.read()
    if (found !== expected) throw new RefMoved(MAIN, found)
    this.#locked.commit(next, log)
  }

  /** Makes a foreign head durable: a synced commit on an unsynced parent is unreadable after a power cut. */
  #makeDurable(head: Oid): void {
    this.#assertOwn(head)
    const isDone = this.#aside?.head === head && this.#aside.isDone
    if (!isDone) syncFilesystem(this.#gitdir)
    this.#aside = undefined
    this.#pause.pushLanded(performance.now())
    const last = this.#durable
    this.#heads.set(this.#folderKey, head)
    if (last === undefined) return
    const isAncestor = isFirstParentAncestor(this.objects, last, head, MAX_FOREIGN_COMMITS)
    if (isAncestor === false) keepLost(this.#gitdir, last)
  }

  /** Returns undefined if the head cannot be read; `headToBuildOn` throws the reason. */
  #headIfReadable(): Oid | undefined {
    try {
      return readRef(this.#gitdir, MAIN, 0)
    } catch {
      return undefined
    }
  }

  #assertOwn(head: Oid): void {
    assertOwnTree(this.objects, this.objects.readCommit(head).tree, this.#site.id)
  }

  #syncIfOwed(): void {
    if (!this.#isSyncOwed) return
    syncDirectory(dirname(join(this.#gitdir, MAIN)))
    this.#isSyncOwed = false
    for (const pack of this.#heldPacks.splice(0)) pack.release()
  }
}

/** Packs the objects; undefined if there are none. */
export function packOf(objects: readonly NewObject[]): EncodedPack | undefined {
  return objects.length > 0 ? encodePack(objects) : undefined
}
