// A site's bare repository on this machine's disk, which git's own programs share.

import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncDirectory, syncFilesystem } from '../../git/disk/durable.js'
import { OutcomeUnknown, RefMoved, RepositoryInvalid } from '../../git/objects/errors.js'
import type { NewObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { isFirstParentAncestor } from '../../git/repository/history.js'
import { type LockedRef, lockRef, moveRef, type RefLog, readRef } from '../../git/repository/ref.js'
import { openRepository } from '../../git/repository/repository.js'
import { ObjectDatabase } from '../../git/storage/object-database.js'
import { encodePack, type InstalledPack, installPack } from '../../git/storage/pack-writer.js'
import { MAIN } from '../format/main-ref.js'
import { SITE_HOOKS } from '../hooks/site-hooks.js'
import type { NextCommit, Repository, WritableRepository } from '../protocol/repository.js'
import { keepLost } from './keep-lost.js'
import { MAX_PACKS } from './maintain.js'
import { OperatorPause } from './operator-pause.js'

const LOCK_WAIT_MS = 50
const MAX_PACK_BYTES = 256 * 1024 * 1024

export class DiskRepository implements Repository {
  readonly objects: ObjectDatabase
  readonly #gitdir: string

  constructor(gitdir: string) {
    this.#gitdir = gitdir
    this.objects = new ObjectDatabase(gitdir)
  }

  head(): Oid | undefined {
    return readRef(this.#gitdir, MAIN)
  }

  remember(objects: readonly NewObject[]): void {
    this.objects.remember(objects)
  }

  close(): void {
    this.objects.close()
  }
}

export class WritableDiskRepository extends DiskRepository implements WritableRepository {
  readonly #gitdir: string
  readonly #pause: OperatorPause
  #locked: LockedRef | undefined
  /** The newest head that is known to be on the disk with everything under it. */
  #durable: Oid | undefined
  /** The ref was renamed and its folder not synced: nothing is built on it until a sync succeeds. */
  #isSyncOwed = false
  /** Packs of commits whose outcome is unknown: a pack that may be published stays out of an operator's gc. */
  #heldPacks: InstalledPack[] = []
  /** Packs since maintenance was last due; undefined until the first are counted. */
  #packs: number | undefined
  #packBytes = 0

  constructor(gitdir: string) {
    openRepository(gitdir, SITE_HOOKS)
    super(gitdir)
    this.#gitdir = gitdir
    this.#pause = new OperatorPause(gitdir)
  }

  headToBuildOn(): Oid {
    this.#syncIfOwed()
    const head = this.#locked === undefined ? this.head() : this.#locked.read()
    if (head === undefined) throw new RepositoryInvalid(`${MAIN} does not exist`)
    if (head !== this.#durable) this.#makeDurable(head)
    return head
  }

  /** The pack first, then the rename of the ref: the instant of publication. */
  commit({ expected, next, objects, log }: NextCommit): 'done' | 'moved' {
    const encoded = encodePack(objects)
    const pack = installPack(this.#gitdir, encoded)
    try {
      this.#moveMain(expected, next, log)
    } catch (error) {
      if (error instanceof OutcomeUnknown) {
        this.#isSyncOwed = true
        this.#heldPacks.push(pack)
      } else pack.discard()
      if (error instanceof RefMoved) return 'moved'
      throw error
    }
    pack.release()
    this.#durable = next
    if (this.#packs !== undefined) this.#packs++
    this.#packBytes += encoded.pack.length
    this.remember(objects)
    return 'done'
  }

  holdMain<T>(work: () => T): T {
    this.#locked = lockRef(this.#gitdir, MAIN, LOCK_WAIT_MS)
    try {
      return work()
    } finally {
      this.#locked.release()
      this.#locked = undefined
    }
  }

  pauseFor(now: number): number {
    return this.#pause.holdFor(now)
  }

  /** Once for every 200 packs, those that were there at the start and those of our commits since, or 256 MiB of the latter. */
  takeMaintenanceDue(): boolean {
    this.#packs ??= countPacks(this.#gitdir)
    if (this.#packs < MAX_PACKS && this.#packBytes < MAX_PACK_BYTES) return false
    this.#packs = 0
    this.#packBytes = 0
    return true
  }

  #moveMain(expected: Oid, next: Oid, log: RefLog): void {
    if (this.#locked === undefined) return moveRef(this.#gitdir, MAIN, expected, next, log, LOCK_WAIT_MS)
    const found = this.#locked.read()
    if (found !== expected) throw new RefMoved(MAIN, found)
    this.#locked.commit(next, log)
  }

  /** A synced commit on an unsynced parent is unreadable after a power cut. */
  #makeDurable(head: Oid): void {
    syncFilesystem(this.#gitdir)
    this.#pause.pushLanded()
    const last = this.#durable
    this.#durable = head
    if (last !== undefined && !isFirstParentAncestor(this.objects, last, head)) keepLost(this.#gitdir, last)
  }

  #syncIfOwed(): void {
    if (!this.#isSyncOwed) return
    syncDirectory(dirname(join(this.#gitdir, MAIN)))
    this.#isSyncOwed = false
    for (const pack of this.#heldPacks.splice(0)) pack.release()
  }
}

function countPacks(gitdir: string): number {
  return readdirSync(join(gitdir, 'objects', 'pack')).filter((file) => file.endsWith('.pack')).length
}
