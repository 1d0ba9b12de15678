// The sites of one writer thread take turns, and all writes that wait for a site form one batch. Commits are built synchronously. A site
// whose repository waits for a network gives turns to the others, and has one batch in progress.

import { setTimeout as pause } from 'node:timers/promises'
import type { Waits } from '../../admission/waits.js'
import { RefLocked } from '../../git/objects/errors.js'
import { ServiceError } from '../../model/errors.js'
import type { Reply, Said } from '../../threads/messages.js'
import { toFailure } from '../protocol/failure.js'
import type { SiteIndexes } from '../../catalog/index/site-index.js'
import type { CommitOutcome, Repositories } from '../protocol/repository.js'
import type { SiteRef } from '../protocol/write.js'
import type { WriterAnswer, WriterProtocol, WriterRequest } from '../protocol/writer-messages.js'
import { type OtherRequest, type Rest, SiteQueue, type WaitingWrite } from './site-queue.js'
import type { Sign, WriteResult } from './build-batch.js'
import { SiteWriter } from './site-writer.js'
import { Turns } from './turns.js'

const LOCK_RETRY_MS = 25
/** Past this many open sites the one that has been idle longest is closed. */
const MAX_OPEN_SITES = 256

export interface SiteWritersParts {
  repositories: Repositories
  /** Gets the rows of the writes. */
  indexes: SiteIndexes
  /** Gets each commit that is stored. */
  sign: Sign
  /** Bytes of free space below which writes are refused. */
  diskReserveBytes: number
  /** Sends answers and events. Every request is answered once. */
  say: (said: Said<WriterProtocol>) => void
}

export class SiteWriters {
  readonly #parts: SiteWritersParts
  /** Queues by slug, the most recently requested last. */
  readonly #queues = new Map<string, SiteQueue>()
  readonly #turns = new Turns()
  #isAwake = false

  constructor(parts: SiteWritersParts) {
    this.#parts = parts
  }

  take(request: WriterRequest, ticket: number): void {
    // A deletion waits for no turn: waiting writes are told that the site is gone.
    if (request.type === 'retire') return void this.#answer(ticket, request)
    const queue = this.#queueOf(request.site)
    if (request.type === 'write') queue.addWrite(ticket, request.write)
    else queue.addOther(ticket, request)
    this.#takeTurn(queue)
  }

  async #answer(ticket: number, request: OtherRequest): Promise<void> {
    const { say } = this.#parts
    try {
      say({ replies: [{ ticket, answer: await this.#serve(request) }] })
    } catch (error) {
      say({ replies: [{ ticket, failure: toFailure(error) }] })
    }
  }

  async #serve(request: OtherRequest): Promise<WriterAnswer> {
    const { site } = request
    const { repositories } = this.#parts
    switch (request.type) {
      case 'draft':
        return { drafted: this.#writerOf(this.#queueOf(site)).draft(request.write) }
      case 'move-main':
        return await this.#moveRefs(this.#queueOf(site), (writer) => writer.moveMain(request.move))
      case 'move-tags':
        return await this.#moveRefs(this.#queueOf(site), (writer) => writer.moveTags(request.move))
      case 'expect-push':
        // A site without a writer has nothing that moves main.
        return { heldIn: this.#queueOf(site).writer?.expectPush(performance.now()) ?? 0 }
      case 'create':
        await repositories.create(site, request.time)
        break
      case 'adopt':
        await repositories.adopt?.(site, request.gitdir)
        break
      case 'open':
        // Keeps no writer for it: a site that is read may never be written.
        if (this.#queues.get(site.slug)?.writer === undefined) repositories.openForWriting(site).close()
        else repositories.repair(site)
        break
      case 'settle':
        await this.#writerOf(this.#queueOf(site)).settle()
        break
      case 'follow':
        await repositories.follow(site)
        break
      case 'retire':
        await this.#endQueue(site)
        await repositories.retire(site)
        break
      case 'keep-lost':
        repositories.keepLost(site, request.commit)
        break
    }
    return { done: true }
  }

  /** Moves refs for a push. Writes that rest for the push go on after it. */
  async #moveRefs(queue: SiteQueue, move: (writer: SiteWriter) => Promise<CommitOutcome>): Promise<WriterAnswer> {
    this.#checkReserve()
    const writer = this.#writerOf(queue)
    // The disk is awaited off this thread; the caller of a push tries again.
    if (writer.untilHeadIsDurable() !== undefined) throw new RefLocked(queue.site.slug)
    const moved = await move(writer)
    queue.isResting = false
    return { moved }
  }

  /** Ends a deleted site's queue. Every request in it is answered, a batch in progress with its results. */
  async #endQueue({ slug }: SiteRef): Promise<void> {
    const queue = this.#queues.get(slug)
    if (queue === undefined) return
    this.#queues.delete(slug)
    this.#refuseWaiting(queue)
    await queue.turn
    // A batch that met a lock is back in the queue.
    this.#refuseWaiting(queue)
    queue.writer?.close()
  }

  #refuseWaiting(queue: SiteQueue): void {
    const failure = toFailure(new ServiceError('site_not_found', 'This site was deleted. Nothing was written.'))
    this.#parts.say({ replies: queue.clear().map((ticket) => ({ ticket, failure })) })
  }

  #queueOf(site: SiteRef): SiteQueue {
    const queue = this.#queues.get(site.slug) ?? new SiteQueue(site)
    this.#queues.delete(site.slug)
    // Closes another one first: the new one also counts as idle until its request is added.
    if (this.#queues.size >= MAX_OPEN_SITES) this.#closeLongestIdle()
    this.#queues.set(site.slug, queue)
    return queue
  }

  #closeLongestIdle(): void {
    for (const [slug, queue] of this.#queues) {
      if (!queue.isIdle) continue
      queue.writer?.close()
      this.#queues.delete(slug)
      return
    }
  }

  /** Returns the site's writer. The first call opens it, which verifies the repository's configuration and hooks. */
  #writerOf(queue: SiteQueue): SiteWriter {
    const { repositories, indexes, sign } = this.#parts
    queue.writer ??= new SiteWriter(
      queue.site,
      repositories.openForWriting(queue.site),
      sign,
      indexes.of(queue.site.id),
    )
    return queue.writer
  }

  #takeTurn(queue: SiteQueue): void {
    if (!queue.isReady) return
    this.#turns.add(queue.site)
    if (this.#isAwake) return
    this.#isAwake = true
    setImmediate(() => this.#runNext())
  }

  /** Runs one turn of one site. Messages that arrive meanwhile are handled before the next turn. */
  #runNext(): void {
    const slug = this.#turns.take()
    if (slug === undefined) {
      this.#isAwake = false
      return
    }
    const queue = this.#queues.get(slug)
    if (queue !== undefined) queue.turn = this.#runTurn(queue).then(() => this.#endTurn(queue))
    setImmediate(() => this.#runNext())
  }

  async #runTurn(queue: SiteQueue): Promise<void> {
    const other = queue.takeOther()
    if (other !== undefined) await this.#answer(other.ticket, other.request)
    else if (!queue.isResting) await this.#runBatch(queue)
  }

  #endTurn(queue: SiteQueue): void {
    const { slug } = queue.site
    queue.turn = undefined
    this.#takeTurn(queue)
    // A site that was only created or verified must not make another one's writer close.
    if (queue.isIdle && queue.writer === undefined && this.#queues.get(slug) === queue) this.#queues.delete(slug)
  }

  async #runBatch(queue: SiteQueue): Promise<void> {
    const wait = this.#waitOf(queue)
    if (wait !== undefined) return this.#rest(queue, wait.reason, wait.over)
    const batch = queue.takeBatch()
    if (batch.length === 0) return
    const begun = performance.now()
    const results = await this.#writeBatch(queue, batch)
    if (results === 'locked') {
      queue.putBack(batch)
      return this.#rest(queue, 'lock', pause(LOCK_RETRY_MS))
    }
    const ended = performance.now()
    this.#parts.say({
      event: {
        site: queue.site,
        trees: queue.writer?.takeSharedTrees() ?? [],
        isMaintenanceDue: queue.writer?.takeMaintenanceDue() ?? false,
      },
      replies: batch.map((waiting, i) => replyTo(waiting.ticket, results[i], queue.waitsOf(waiting, begun, ended))),
    })
  }

  /** Returns what the site's writes must wait for before their next batch. */
  #waitOf(queue: SiteQueue): { reason: Rest; over: Promise<void> } | undefined {
    const milliseconds = queue.writer?.pauseFor(performance.now()) ?? 0
    if (milliseconds > 0) return { reason: 'push', over: pause(milliseconds) }
    try {
      const over = this.#writerOf(queue).untilHeadIsDurable()
      return over && { reason: 'disk', over }
    } catch {
      // The batch fails for the same reason.
      return undefined
    }
  }

  /** Rests the site's writes: other sites have their turns until `over` resolves. */
  #rest(queue: SiteQueue, reason: Rest, over: Promise<void>): void {
    queue.isResting = true
    const began = performance.now()
    void over.then(() => {
      queue.isResting = false
      queue.noteRest(reason, began)
      this.#takeTurn(queue)
    })
  }

  async #writeBatch(queue: SiteQueue, batch: readonly WaitingWrite[]): Promise<readonly WriteResult[] | 'locked'> {
    try {
      this.#checkReserve()
      const results = await this.#writerOf(queue).writeBatch(batch.map(({ write }) => write))
      queue.lockedSince = undefined
      return results
    } catch (error) {
      if (error instanceof RefLocked) {
        if (queue.staysPatient(performance.now())) return 'locked'
        // Opening the repository again removes a lock whose process is gone.
        queue.writer?.close()
        queue.writer = undefined
      }
      queue.lockedSince = undefined
      const failure = toFailure(error)
      return batch.map(() => ({ failure }))
    }
  }

  /** Throws before the disk is full, while there is room left to read, to repair and to delete. */
  #checkReserve(): void {
    const { repositories, diskReserveBytes } = this.#parts
    if (repositories.freeBytes() >= diskReserveBytes) return
    throw new ServiceError('disk_reserve', 'The disk is nearly full: nothing is written until space is freed.')
  }
}

function replyTo(ticket: number, result: WriteResult | undefined, waits: Waits): Reply<WriterProtocol> {
  if (result === undefined) throw new Error('a batch answered fewer writes than it took')
  return 'written' in result ? { ticket, answer: { ...result, waits } } : { ticket, ...result }
}
