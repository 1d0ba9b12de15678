// A site's repository on a node. main, or the branch of a change request, moves in the log first. Then it moves in the bare repository on
// this machine, which is used to read and to build on.

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
  RequestsMoved,
  type WritableRepository,
} from '../../repository/protocol/repository.js'
import type { TagMove } from '../../repository/protocol/ref-moves.js'
import { branchOf, placeIdOf } from '../../repository/protocol/site-place.js'
import type { SiteRef } from '../../repository/protocol/write.js'
import { requestClosed } from '../../repository/protocol/published-requests.js'
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
  readonly #parts: LogRepositoryParts
  /** The id of its log. */
  readonly #id: string
  #unsettled: Unsettled | undefined
  /** Whether settling was tried since the last batch began. */
  #hasTried = false
  /** The holder id by which the log knows that this writer holds main. */
  #holder: string | undefined

  constructor(parts: LogRepositoryParts) {
    this.#parts = parts
    this.#id = placeIdOf(parts.site)
  }

  get objects(): ObjectReader {
    return this.#parts.disk.objects
  }

  untilHeadIsDurable(): Promise<void> | undefined {
    if (this.#unsettled === undefined) return this.#parts.disk.untilHeadIsDurable()
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
    return this.#parts.disk.headToBuildOn()
  }

  settle(): void {
    this.#refuseUnsettled()
    this.#parts.disk.settle()
  }

  /** Writes to the log first. This machine has the commit, too, before the caller gets an answer. */
  async commit(commit: NextCommit): Promise<CommitOutcome> {
    const { expected, next, objects, packs, log, keys = [], publishes = [] } = commit
    const batch = randomUUID()
    const holder = this.#holder
    const encoded = packOf(objects)
    const sent = await heard(() => sendPacks(this.#parts.log, batch, encoded, packs))
    const entry = { batch, expected, next, ...sent, log, holder, keys, publishes }
    const append = () => this.#parts.log.append(this.#id, entry)
    const isAppended = await this.#append(batch, append, async () => {
      // The log has compared the branches that it publishes.
      if (this.#parts.disk.commit({ ...commit, publishes: [] }, encoded) === 'moved') await this.#catchUp()
    })
    return isAppended ? 'done' : await this.#moved(commit)
  }

  async holdMain<T>(work: () => Promise<T>): Promise<T> {
    const holder = randomUUID()
    if (!(await heard(() => this.#parts.log.hold(this.#id, holder)))) throw new RefLocked(MAIN)
    this.#holder = holder
    try {
      await heard(() => this.#catchUp())
      return await this.#parts.disk.holdMain(work)
    } finally {
      this.#holder = undefined
      // The hold expires by itself if the database does not hear this.
      await this.#parts.log.letGo(this.#id, holder).catch(() => undefined)
    }
  }

  async moveTags({ changes, packs, time, by }: TagMove): Promise<CommitOutcome> {
    this.#refuseUnsettled()
    const batch = randomUUID()
    const log = { committer: { ...COMMITTER, time }, message: `push: ${by}` }
    const sent =
      packs.length === 0 ? [] : (await heard(() => sendPacks(this.#parts.log, batch, undefined, packs))).packs
    for (let attempt = 0; attempt < MAX_TAG_ATTEMPTS; attempt++) {
      await heard(() => this.#catchUp())
      const before = this.#parts.disk.readTags()
      const after = changedTags(before, changes)
      if (after === undefined) return 'moved'
      const next = { batch, before, after, changes, packs: sent, log }
      const append = () => this.#parts.log.tags.append(this.#id, next)
      if (await this.#append(batch, append, () => this.#catchUp())) return 'done'
    }
    return 'moved'
  }

  /** Brings what the log has, and this machine lacks. Throws RefLocked if main must come first: the read barrier brings it soon. */
  async #catchUp(): Promise<void> {
    const { replay, site, disk } = this.#parts
    if (!(await replay.bring(site, disk))) throw new RefLocked(branchOf(site))
  }

  /** Finds out why nothing was appended. Commits of another node are here when it resolves. */
  async #moved({ keys = [], log, publishes = [] }: NextCommit): Promise<'moved'> {
    await heard(async () => {
      if (await this.#parts.log.isPublished(this.#id)) throw requestClosed()
      if (await this.#parts.log.isHeld(this.#id, this.#holder)) throw new RefLocked(MAIN)
      await this.#catchUp()
      const taken = await this.#parts.log.takenKeys(keys, log.committer.time)
      if (taken.length > 0) throw new KeysTaken(taken)
      const moved = await this.#parts.log.movedRequests(publishes)
      if (moved.length > 0) throw new RequestsMoved(moved)
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
    const end = performance.now() + this.#parts.unknownAfterMs
    try {
      return await append()
    } catch (error) {
      if (!(error instanceof OutcomeNotHeard)) throw storageError(error)
      for (; performance.now() < end; await pause(SETTLE_AGAIN_MS)) {
        const settled = this.#parts.log.settle(this.#id, batch).catch(() => undefined)
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
    await this.#parts.log.settle(this.#id, batch)
    await this.#catchUp()
    this.#unsettled = undefined
  }

  head(): Oid | undefined {
    return this.#parts.disk.head()
  }

  headMark(): string | undefined {
    return this.#parts.disk.headMark()
  }

  tags(): readonly Tag[] {
    return this.#parts.disk.tags()
  }

  remember(objects: readonly NewObject[]): void {
    this.#parts.disk.remember(objects)
  }

  close(): void {
    this.#parts.disk.close()
  }

  pauseFor(now: number): number {
    return this.#parts.disk.pauseFor(now)
  }

  expectPush(now: number): number {
    return this.#parts.disk.expectPush(now)
  }

  endPush(now: number): void {
    this.#parts.disk.endPush(now)
  }

  takeMaintenanceDue(): boolean {
    return this.#parts.disk.takeMaintenanceDue()
  }
}

/** Does work that writes nothing visible if it fails, and turns database errors into storage errors. */
export async function heard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof OutcomeNotHeard || error instanceof DatabaseUnfit ? storageError(error) : error
  }
}

/** Makes an error in the form of a system error: the storage refused, and nothing was written. */
export function storageError(cause: unknown): Error {
  if (cause instanceof WritesUnsafe) return Object.assign(new ServiceError('storage_failed', cause.message), { cause })
  return Object.assign(new Error('PostgreSQL refused or did not answer', { cause }), { syscall: 'append' })
}
