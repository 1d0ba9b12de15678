// The sites of one writer thread take turns, and all writes that wait for a site form one batch. Commits are built synchronously. A site
// whose repository waits for a network gives turns to the others, and has one batch in progress.

import { setTimeout as pause } from 'node:timers/promises'
import { FairQueue } from '../../admission/fair-queue.js'
import type { Waits } from '../../admission/waits.js'
import { RefLocked } from '../../git/objects/errors.js'
import { ServiceError } from '../../model/errors.js'
import type { Reply, Said } from '../../threads/messages.js'
import { toFailure } from '../protocol/failure.js'
import type { CommitOutcome } from '../protocol/repository.js'
import type { WriterAnswer, WriterProtocol, WriterRequest } from '../protocol/writer-messages.js'
import type { OtherRequest, SiteQueue, WaitingWrite } from './site-queue.js'
import type { WriteResult } from './build-batch.js'
import { SiteQueues, type SiteQueuesParts } from './site-queues.js'
import type { SiteWriter } from './site-writer.js'

const LOCK_RETRY_MS = 25
export interface SiteWritersParts extends SiteQueuesParts {
  /** Bytes of free space below which writes are refused. */
  diskReserveBytes: number
  /** Sends answers and events. Every request is answered once. */
  say: (said: Said<WriterProtocol>) => void
}

/** A wait of all writes of a site: for the disk; otherwise for a push, or another program that holds main. */
interface Rest {
  isOfDisk: boolean
  over: Promise<void>
}

export class SiteWriters {
  readonly #parts: SiteWritersParts
  readonly #queues: SiteQueues
  /** Workspaces take turns, and the sites of a workspace among themselves: a thousand busy sites delay others no longer than one. */
  readonly #turns = new FairQueue<SiteQueue>()
  #isAwake = false

  constructor(parts: SiteWritersParts) {
    this.#parts = parts
    this.#queues = new SiteQueues(parts)
  }

  take(request: WriterRequest, ticket: number): void {
    // A deletion waits for no turn: waiting writes are told that the site is gone.
    if (request.type === 'retire') return void this.#answer(ticket, request)
    const queue = this.#queues.of(request.site)
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
        return { drafted: this.#queues.writerOf(this.#queues.of(site)).draft(request.write) }
      case 'move-main':
        return await this.#moveRefs(this.#queues.of(site), (writer) => writer.moveMain(request.move))
      case 'move-tags':
        return await this.#moveRefs(this.#queues.of(site), (writer) => writer.moveTags(request.move))
      case 'expect-push':
        // A site without a writer has nothing that moves main.
        return { heldIn: this.#queues.of(site).writer?.expectPush(performance.now()) ?? 0 }
      case 'create':
        await repositories.create(site, request.time)
        break
      case 'begin-request':
        this.#checkReserve()
        await repositories.beginRequest(site, request.fork, request.time)
        break
      case 'end-request':
        this.#queues.of(site).writer?.close()
        this.#queues.of(site).writer = undefined
        await repositories.endRequest(site)
        break
      case 'adopt':
        await repositories.adopt?.(site, request.gitdir)
        break
      case 'open':
        // Keeps no writer for it: a site that is read may never be written.
        if (this.#queues.find(site)?.writer === undefined) repositories.openForWriting(site).close()
        else repositories.repair(site)
        break
      case 'settle':
        await this.#queues.writerOf(this.#queues.of(site)).settle()
        break
      case 'follow':
        await repositories.follow(site)
        break
      case 'retire':
        await Promise.all(this.#queues.ofSite(site).map((queue) => this.#endQueue(queue)))
        await repositories.retire(site)
        break
    }
    return { done: true }
  }

  /** Moves refs for a push. Writes that rest for the push go on after it. */
  async #moveRefs(queue: SiteQueue, move: (writer: SiteWriter) => Promise<CommitOutcome>): Promise<WriterAnswer> {
    this.#checkReserve()
    const writer = this.#queues.writerOf(queue)
    // The disk is awaited off this thread; the caller of a push tries again.
    if (writer.untilHeadIsDurable() !== undefined) throw new RefLocked(queue.site.slug)
    const moved = await move(writer)
    queue.isResting = false
    return { moved }
  }

  /** Ends a queue of a deleted site. Every request in it is answered, a batch in progress with its results. */
  async #endQueue(queue: SiteQueue): Promise<void> {
    this.#queues.remove(queue)
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

  #takeTurn(queue: SiteQueue): void {
    if (!queue.isReady || queue.isInLine) return
    queue.isInLine = true
    const { id, slug, workspaceId = id } = queue.site
    this.#turns.add(workspaceId, queue, slug)
    if (this.#isAwake) return
    this.#isAwake = true
    setImmediate(() => this.#runNext())
  }

  /** Runs one turn of one site. Messages that arrive meanwhile are handled before the next turn. */
  #runNext(): void {
    const next = this.#turns.take()
    if (next === undefined) {
      this.#isAwake = false
      return
    }
    const queue = next.job
    queue.isInLine = false
    // The queue of a deleted site may still stand in the line.
    if (this.#queues.has(queue)) queue.turn = this.#runTurn(queue).then(() => this.#endTurn(queue))
    setImmediate(() => this.#runNext())
  }

  async #runTurn(queue: SiteQueue): Promise<void> {
    const other = queue.takeOther()
    if (other !== undefined) await this.#answer(other.ticket, other.request)
    else if (!queue.isResting) await this.#runBatch(queue)
  }

  #endTurn(queue: SiteQueue): void {
    queue.turn = undefined
    this.#takeTurn(queue)
    // A site that was only created or verified must not make another one's writer close.
    if (queue.isIdle && queue.writer === undefined) this.#queues.remove(queue)
  }

  async #runBatch(queue: SiteQueue): Promise<void> {
    const wait = this.#waitOf(queue)
    if (wait !== undefined) return this.#rest(queue, wait)
    const batch = queue.takeBatch()
    if (batch.length === 0) return
    const begun = performance.now()
    const results = await this.#writeBatch(queue, batch)
    if (results === 'locked') {
      queue.putBack(batch)
      return this.#rest(queue, { isOfDisk: false, over: pause(LOCK_RETRY_MS) })
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
  #waitOf(queue: SiteQueue): Rest | undefined {
    const milliseconds = queue.writer?.pauseFor(performance.now()) ?? 0
    if (milliseconds > 0) return { isOfDisk: false, over: pause(milliseconds) }
    try {
      const over = this.#queues.writerOf(queue).untilHeadIsDurable()
      return over && { isOfDisk: true, over }
    } catch {
      // The batch fails for the same reason.
      return undefined
    }
  }

  /** Rests the site's writes: other sites have their turns until `over` resolves. */
  #rest(queue: SiteQueue, { isOfDisk, over }: Rest): void {
    queue.isResting = true
    const began = performance.now()
    void over.then(() => {
      queue.isResting = false
      if (isOfDisk) queue.noteRest(began)
      this.#takeTurn(queue)
    })
  }

  async #writeBatch(queue: SiteQueue, batch: readonly WaitingWrite[]): Promise<readonly WriteResult[] | 'locked'> {
    try {
      this.#checkReserve()
      const results = await this.#queues.writerOf(queue).writeBatch(batch.map(({ write }) => write))
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
