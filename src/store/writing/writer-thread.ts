// A writer thread: the sites take turns, and all writes that wait for a site are one batch. All calls are synchronous.

import { setTimeout as pause } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { RefLocked } from '../../git/objects/errors.js'
import { ServiceError } from '../../model/errors.js'
import type { Reply } from '../../threads/messages.js'
import { serveRequests } from '../../threads/serve.js'
import { DiskRepositories } from '../disk/disk-repositories.js'
import { openSigner } from '../disk/signing-key.js'
import { toFailure } from '../protocol/failure.js'
import type { Repositories } from '../protocol/repository.js'
import type { Push, SiteRef } from '../protocol/write.js'
import type { WriterAnswer, WriterProtocol, WriterSettings } from '../protocol/writer-messages.js'
import { type OtherRequest, SiteQueue, type WaitingWrite } from './site-queue.js'
import { SiteWriter, type WriteResult } from './site-writer.js'
import { Turns } from './turns.js'

/** How long a batch keeps trying for a lock that another program holds. */
const MAX_LOCKED_MS = 5000
const LOCK_RETRY_MS = 25
/** Past this many open sites the one that was idle for the longest time is closed. */
const MAX_OPEN_SITES = 256

const { dataDir, diskReserveBytes } = workerData as WriterSettings
const repositories: Repositories = new DiskRepositories(dataDir)
const sign = openSigner(dataDir)
/** By slug, the one that was asked for something last at the end. */
const queues = new Map<string, SiteQueue>()
const turns = new Turns()
let awake = false

const post = serveRequests<WriterProtocol>((request, ticket) => {
  const { site } = request
  // A deletion waits for nothing: what waits is answered that the site is gone.
  if (request.type === 'retire') return answer(ticket, request)
  const queue = queueOf(site)
  if (request.type === 'write') queue.addWrite(ticket, request.write)
  else queue.addOther(ticket, request)
  takeTurn(queue)
})

function answer(ticket: number, request: OtherRequest): void {
  try {
    post({ replies: [{ ticket, answer: serve(request) }] })
  } catch (error) {
    post({ replies: [{ ticket, failure: toFailure(error) }] })
  }
}

function serve(request: OtherRequest): WriterAnswer {
  const { site } = request
  switch (request.type) {
    case 'draft':
      return { drafted: writerOf(queueOf(site)).draft(request.write) }
    case 'push':
      return push(queueOf(site), request.push)
    case 'expect-push':
      // Nothing moves main where nobody has written.
      return { heldIn: queueOf(site).writer?.expectPush(performance.now(), request.isComingIn) ?? 0 }
    case 'create':
      repositories.create(site, request.time)
      break
    case 'open':
      // No writer is kept for it: a site that is read may never be written.
      if (queues.get(site.slug)?.writer === undefined) repositories.openForWriting(site).close()
      else repositories.repair(site)
      break
    case 'retire':
      refuseWaiting(site)
      repositories.retire(site)
      break
    case 'keep-lost':
      repositories.keepLost(site, request.commit)
      break
  }
  return { done: true }
}

/** Writes that rest for the push go on after it. */
function push(queue: SiteQueue, pushed: Push): WriterAnswer {
  checkReserve()
  const writer = writerOf(queue)
  // The disk is waited for beside this thread; who pushes asks again.
  if (writer.untilHeadIsDurable() !== undefined) throw new RefLocked(queue.site.slug)
  const outcome = writer.push(pushed)
  queue.isResting = false
  takeTurn(queue)
  return { pushed: outcome }
}

/** Ends a deleted site's queue; every request in it is answered. */
function refuseWaiting({ slug }: SiteRef): void {
  const queue = queues.get(slug)
  if (queue === undefined) return
  queues.delete(slug)
  queue.writer?.close()
  const failure = toFailure(new ServiceError('site_not_found', 'This site was deleted. Nothing was written.'))
  post({ replies: queue.clear().map((ticket) => ({ ticket, failure })) })
}

function queueOf(site: SiteRef): SiteQueue {
  const queue = queues.get(site.slug) ?? new SiteQueue(site)
  queues.delete(site.slug)
  queues.set(site.slug, queue)
  if (queues.size > MAX_OPEN_SITES) closeLongestIdle()
  return queue
}

function closeLongestIdle(): void {
  for (const [slug, queue] of queues) {
    if (!queue.isEmpty) continue
    queue.writer?.close()
    queues.delete(slug)
    return
  }
}

/** The site's writer, opened on first need: opening verifies the repository's configuration and hooks. */
function writerOf(queue: SiteQueue): SiteWriter {
  queue.writer ??= new SiteWriter(queue.site, repositories.openForWriting(queue.site), sign)
  return queue.writer
}

function takeTurn(queue: SiteQueue): void {
  if (!queue.isReady) return
  turns.add(queue.site)
  if (awake) return
  awake = true
  setImmediate(runNext)
}

/** One turn of one site. Messages that arrive during it are handled before the next turn. */
function runNext(): void {
  const slug = turns.take()
  if (slug === undefined) {
    awake = false
    return
  }
  const queue = queues.get(slug)
  if (queue !== undefined) runTurn(queue)
  setImmediate(runNext)
}

function runTurn(queue: SiteQueue): void {
  const other = queue.takeOther()
  if (other !== undefined) answer(other.ticket, other.request)
  else if (!queue.isResting) runBatch(queue)
  if (queue.isReady) turns.add(queue.site)
  // A site that was only created or verified must not close another one's writer.
  else if (queue.isEmpty && queue.writer === undefined) queues.delete(queue.site.slug)
}

function runBatch(queue: SiteQueue): void {
  const wait = waitOf(queue)
  if (wait !== undefined) return rest(queue, wait)
  const batch = queue.takeBatch()
  if (batch.length === 0) return
  const results = writeBatch(queue, batch)
  if (results === 'locked') {
    queue.putBack(batch)
    return rest(queue, pause(LOCK_RETRY_MS))
  }
  post({
    event: {
      site: queue.site,
      trees: queue.writer?.takeSharedTrees() ?? [],
      isMaintenanceDue: queue.writer?.takeMaintenanceDue() ?? false,
    },
    replies: batch.map(({ ticket }, i) => replyTo(ticket, results[i])),
  })
}

function replyTo(ticket: number, result: WriteResult | undefined): Reply<WriterProtocol> {
  if (result === undefined) throw new Error('a batch answered fewer writes than it took')
  return 'written' in result ? { ticket, answer: result } : { ticket, ...result }
}

/** What the site's writes wait for before their next batch. */
function waitOf(queue: SiteQueue): Promise<void> | undefined {
  const milliseconds = queue.writer?.pauseFor(performance.now()) ?? 0
  if (milliseconds > 0) return pause(milliseconds)
  try {
    return writerOf(queue).untilHeadIsDurable()
  } catch {
    // The batch is refused for the same reason.
    return undefined
  }
}

/** Other sites have their turns until `over` is resolved. */
function rest(queue: SiteQueue, over: Promise<void>): void {
  queue.isResting = true
  void over.then(() => {
    queue.isResting = false
    takeTurn(queue)
  })
}

function writeBatch(queue: SiteQueue, batch: readonly WaitingWrite[]): WriteResult[] | 'locked' {
  try {
    checkReserve()
    const results = writerOf(queue).writeBatch(batch.map(({ write }) => write))
    queue.lockedSince = undefined
    return results
  } catch (error) {
    if (error instanceof RefLocked) {
      if (staysPatient(queue)) return 'locked'
      // Opening the repository again removes a lock whose process is found to be gone.
      queue.writer?.close()
      queue.writer = undefined
    }
    queue.lockedSince = undefined
    const failure = toFailure(error)
    return batch.map(() => ({ failure }))
  }
}

function staysPatient(queue: SiteQueue): boolean {
  queue.lockedSince ??= performance.now()
  return performance.now() - queue.lockedSince < MAX_LOCKED_MS
}

/** Refuses before the disk is full, while there is room left to read, to repair and to delete. */
function checkReserve(): void {
  if (repositories.freeBytes() >= diskReserveBytes) return
  throw new ServiceError('disk_reserve', 'The disk is nearly full: nothing is written until space is freed.')
}
