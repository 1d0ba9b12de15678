// A site's repository on a node. main moves in the log first, then in the bare repository on this machine, which is used to read and
// to build on.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { OutcomeUnknown, RefLocked } from '../../git/objects/errors.js'
import type { NewObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import type { Tag } from '../../git/repository/tags.js'
import { ServiceError } from '../../model/errors.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { packOf, type WritableDiskRepository } from '../../repository/disk/writable-disk-repository.js'
import { COMMITTER, MAIN } from '../../repository/format/main-ref.js'
import {
  type CommitOutcome,
  KeysTaken,
  type NextCommit,
  type WritableRepository,
} from '../../repository/protocol/repository.js'
import type { TagMove } from '../../repository/protocol/ref-moves.js'
import type { SiteRef } from '../../repository/protocol/write.js'
import { changedTags } from './changed-tags.js'
import { DatabaseUnfit, WritesUnsafe } from '../postgres/database-errors.js'
import { OutcomeNotHeard } from './database.js'
import { sendPacks } from './pieces.js'
import type { Replay } from './replay.js'
import type { SiteLog } from './site-log.js'

const SETTLE_AGAIN_MS = 100
/** The number of attempts to move tags while other tags of the site move. */
const MAX_TAG_ATTEMPTS = 8

export interface LogRepositoryParts {
  site: SiteRef
  disk: WritableDiskRepository
  log: SiteLog
  replay: Replay
  /** The time after which the callers of a batch are told that its outcome is unknown. */
  unknownAfterMs: number
}

/** A batch that the log may have, or that the log has and this machine lacks. */
interface Unsettled {
  batch: string
  cause: unknown
}

export class LogRepository implements WritableRepository {
  readonly #site: SiteRef
  readonly #disk: WritableDiskRepository
  readonly #log: SiteLog
  readonly #replay: Replay
  readonly #unknownAfterMs: number
  #unsettled: Unsettled | undefined
  /** Whether settling was tried since the last batch began. */
  #hasTried = false
  /** The holder id by which the log knows that this writer holds main. */
  #holder: string | undefined

  constructor({ site, disk, log, replay, unknownAfterMs }: LogRepositoryParts) {
    this.#site = site
    this.#disk = disk
    this.#log = log
    this.#replay = replay
    this.#unknownAfterMs = unknownAfterMs
  }

  get objects(): ObjectReader {
    return this.#disk.objects
  }

  untilHeadIsDurable(): Promise<void> | undefined {
    if (this.#unsettled === undefined) return this.#disk.untilHeadIsDurable()
    if (this.#hasTried) return undefined
    this.#hasTried = true
    // If it fails, `headToBuildOn` throws the reason.
    return this.#settle(this.#unsettled).then(
      () => undefined,
      () => undefined,
    )
  }

  headToBuildOn(): Oid {
    this.#refuseUnsettled()
    return this.#disk.headToBuildOn()
  }

  settle(): void {
    this.#refuseUnsettled()
    this.#disk.settle()
  }

  /** Writes to the log first. This machine has the commit, too, before the caller gets an answer. */
  async commit(commit: NextCommit): Promise<CommitOutcome> {
    const { expected, next, objects, packs, log, keys = [] } = commit
    const batch = randomUUID()
    const holder = this.#holder
    const encoded = packOf(objects)
    const sent = await this.#heard(() => sendPacks(this.#log, batch, encoded, packs))
    const entry = { batch, expected, next, ...sent, log, holder, keys }
    const append = () => this.#log.append(this.#site.id, entry)
    const isAppended = await this.#append(batch, append, async () => {
      if (this.#disk.commit(commit, encoded) === 'moved') await this.#replay.bring(this.#site, this.#disk)
    })
    return isAppended ? 'done' : await this.#moved(commit)
  }

  async holdMain<T>(work: () => Promise<T>): Promise<T> {
    const holder = randomUUID()
    const { id } = this.#site
    if (!(await this.#heard(() => this.#log.hold(id, holder)))) throw new RefLocked(MAIN)
    this.#holder = holder
    try {
      await this.#heard(() => this.#replay.bring(this.#site, this.#disk))
      return await this.#disk.holdMain(work)
    } finally {
      this.#holder = undefined
      // The hold expires by itself if the database does not hear this.
      await this.#log.letGo(id, holder).catch(() => undefined)
    }
  }

  async moveTags({ changes, packs, time, by }: TagMove): Promise<CommitOutcome> {
    this.#refuseUnsettled()
    const batch = randomUUID()
    const log = { committer: { ...COMMITTER, time }, message: `push: ${by}` }
    const sent =
      packs.length === 0 ? [] : (await this.#heard(() => sendPacks(this.#log, batch, undefined, packs))).packs
    for (let attempt = 0; attempt < MAX_TAG_ATTEMPTS; attempt++) {
      await this.#heard(() => this.#replay.bring(this.#site, this.#disk))
      const before = this.#disk.readTags()
      const after = changedTags(before, changes)
      if (after === undefined) return 'moved'
      const next = { batch, before, after, changes, packs: sent, log }
      const append = () => this.#log.tags.append(this.#site.id, next)
      if (await this.#append(batch, append, () => this.#replay.bring(this.#site, this.#disk))) return 'done'
    }
    return 'moved'
  }

  /** Finds out why nothing was appended. Commits of another node are here when it resolves. */
  async #moved({ keys = [], log }: NextCommit): Promise<'moved'> {
    await this.#heard(async () => {
      if (await this.#log.isHeld(this.#site.id, this.#holder)) throw new RefLocked(MAIN)
      await this.#replay.bring(this.#site, this.#disk)
      const taken = await this.#log.takenKeys(keys, log.committer.time)
      if (taken.length > 0) throw new KeysTaken(taken)
    })
    return 'moved'
  }

  /** Returns whether the log took the batch, which is then here too. Throws OutcomeUnknown if either is uncertain. */
  async #append(batch: string, append: () => Promise<boolean>, install: () => Promise<void>): Promise<boolean> {
    try {
      if (!(await this.#untilHeard(batch, append))) return false
      await install().catch((error: unknown) => {
        throw new OutcomeUnknown(MAIN, error)
      })
      return true
    } catch (error) {
      if (error instanceof OutcomeUnknown) this.#unsettled = { batch, cause: error.cause }
      throw error
    }
  }

  /** Appends. If the answer is lost, settles the outcome once PostgreSQL answers again in time. Throws OutcomeUnknown otherwise. */
  async #untilHeard(batch: string, append: () => Promise<boolean>): Promise<boolean> {
    const end = performance.now() + this.#unknownAfterMs
    try {
      return await append()
    } catch (error) {
      if (!(error instanceof OutcomeNotHeard)) throw storageError(error)
      for (; performance.now() < end; await pause(SETTLE_AGAIN_MS)) {
        const settled = this.#log.settle(this.#site.id, batch).catch(() => undefined)
        const isThere = await Promise.race([settled, pause(end - performance.now())])
        if (isThere !== undefined) return isThere
      }
      throw new OutcomeUnknown(MAIN, error)
    }
  }

  #refuseUnsettled(): void {
    this.#hasTried = false
    if (this.#unsettled !== undefined) throw storageError(this.#unsettled.cause)
  }

  async #settle({ batch }: Unsettled): Promise<void> {
    await this.#log.settle(this.#site.id, batch)
    await this.#replay.bring(this.#site, this.#disk)
    this.#unsettled = undefined
  }

  /** Does work that writes nothing visible if it fails, and turns database errors into storage errors. */
  async #heard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw error instanceof OutcomeNotHeard || error instanceof DatabaseUnfit ? storageError(error) : error
    }
  }

  head(): Oid | undefined {
    return this.#disk.head()
  }

  headMark(): string | undefined {
    return this.#disk.headMark()
  }

  tags(): readonly Tag[] {
    return this.#disk.tags()
  }

  remember(objects: readonly NewObject[]): void {
    this.#disk.remember(objects)
  }

  close(): void {
    this.#disk.close()
  }

  pauseFor(now: number): number {
    return this.#disk.pauseFor(now)
  }

  expectPush(now: number): number {
    return this.#disk.expectPush(now)
  }

  endPush(now: number): void {
    this.#disk.endPush(now)
  }

  takeMaintenanceDue(): boolean {
    return this.#disk.takeMaintenanceDue()
  }
}

/** Makes an error in the form of a system error: the storage refused, and nothing was written. */
export function storageError(cause: unknown): Error {
  if (cause instanceof WritesUnsafe) return Object.assign(new ServiceError('storage_failed', cause.message), { cause })
  return Object.assign(new Error('PostgreSQL refused or did not answer', { cause }), { syscall: 'append' })
}
