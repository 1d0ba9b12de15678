// A writer thread: takes what waits for a site as one batch, site by site in turn, with plain synchronous calls.

import { statfsSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { RefLocked } from '../../git/objects/errors.js'
import { openRepository, repairRepository } from '../../git/repository/repository.js'
import { ServiceError } from '../../model/errors.js'
import { SITE_HOOKS } from '../hooks/site-hooks.js'
import { toFailure } from '../protocol/failure.js'
import { keepLost } from '../repositories/keep-lost.js'
import { OperatorPause } from './operator-pause.js'
import { createSiteRepository, gitdirOf } from '../repositories/site-repository.js'
import { SiteWriter, type WriteResult } from './site-writer.js'
import { type SiteRef, sizeOf, type Write } from '../protocol/write.js'
import type { WriterAnswer, WriterProtocol, WriterRequest, WriterSettings } from '../protocol/writer-messages.js'
import type { Reply } from '../../threads/messages.js'
import { serveRequests } from '../../threads/serve.js'

const BATCH_WRITES = 64
const BATCH_BYTES = 16 * 1024 * 1024
/** How long a batch keeps trying for a lock that another program holds. */
const LOCK_PATIENCE_MS = 5000
const LOCK_RETRY_MS = 25
/** Sites kept open; past it the one idle the longest is closed. */
const OPEN_SITES = 256

interface Waiting {
  ticket: number
  write: Write
  bytes: number
}

interface SiteQueue {
  site: SiteRef
  waiting: Waiting[]
  writer: SiteWriter | undefined
  pause: OperatorPause
  /** When the batch at the head of the queue first met a foreign lock. */
  lockedSince: number | undefined
}

const settings = workerData as WriterSettings
const queues = new Map<string, SiteQueue>()
/** Slugs with work, in the order of their turn. */
const turns = new Set<string>()
let awake = false

const post = serveRequests<WriterProtocol>((request, ticket) => {
  if (request.type === 'write') return enqueue(ticket, request.site, request.write)
  try {
    post({ replies: [{ ticket, answer: serve(request) }] })
  } catch (error) {
    post({ replies: [{ ticket, failure: toFailure(error) }] })
  }
})

function serve(request: Exclude<WriterRequest, { type: 'write' }>): WriterAnswer {
  const { site } = request
  switch (request.type) {
    case 'draft':
      return { drafted: writerOf(queueOf(site)).draft(request.write) }
    case 'create':
      createSiteRepository(settings.dataDir, site, request.time)
      break
    case 'open': {
      // No writer is kept for it: a site that is read may never be written.
      const gitdir = gitdirOf(settings.dataDir, site.slug)
      if (queues.get(site.slug)?.writer === undefined) openRepository(gitdir, SITE_HOOKS)
      else repairRepository(gitdir, SITE_HOOKS)
      break
    }
    case 'forget':
      queues.get(site.slug)?.writer?.close()
      queues.delete(site.slug)
      break
    case 'keep-lost':
      keepLost(gitdirOf(settings.dataDir, site.slug), request.commit)
      break
  }
  return { done: true }
}

function queueOf(site: SiteRef): SiteQueue {
  let queue = queues.get(site.slug)
  if (queue === undefined) {
    const pause = new OperatorPause(gitdirOf(settings.dataDir, site.slug))
    queue = { site, waiting: [], writer: undefined, pause, lockedSince: undefined }
  }
  queues.delete(site.slug)
  queues.set(site.slug, queue)
  if (queues.size > OPEN_SITES) closeLongestIdle()
  return queue
}

function closeLongestIdle(): void {
  for (const [slug, { waiting, writer }] of queues) {
    if (waiting.length > 0) continue
    writer?.close()
    queues.delete(slug)
    return
  }
}

/** The site's writer, opened on first need: opening verifies the repository's configuration and hooks. */
function writerOf(queue: SiteQueue): SiteWriter {
  queue.writer ??= new SiteWriter(queue.site, gitdirOf(settings.dataDir, queue.site.slug))
  return queue.writer
}

function enqueue(ticket: number, site: SiteRef, write: Write): void {
  const { operation } = write
  const bytes = sizeOf(operation)
  queueOf(site).waiting.push({ ticket, write, bytes })
  takeTurn(site.slug)
}

function takeTurn(slug: string): void {
  turns.add(slug)
  if (awake) return
  awake = true
  setImmediate(runNext)
}

/** One batch of one site; then whatever arrived meanwhile is let in before the next. */
function runNext(): void {
  const [slug] = turns
  if (slug === undefined) {
    awake = false
    return
  }
  turns.delete(slug)
  const queue = queues.get(slug)
  if (queue !== undefined && queue.waiting.length > 0) runBatch(slug, queue)
  setImmediate(runNext)
}

function runBatch(slug: string, queue: SiteQueue): void {
  const hold = queue.pause.holdFor(performance.now())
  if (hold > 0) return later(slug, hold)
  const batch = takeBatch(queue)
  const results = writeBatch(queue, batch)
  if (results === 'locked') {
    queue.waiting.unshift(...batch)
    return later(slug, LOCK_RETRY_MS)
  }
  post({
    event: {
      site: queue.site,
      trees: queue.writer?.takeSharedTrees() ?? [],
      isMaintenanceDue: queue.writer?.isMaintenanceDue() === true,
    },
    replies: batch.map(({ ticket }, i) => replyTo(ticket, results[i])),
  })
  if (queue.waiting.length > 0) turns.add(slug)
}

function replyTo(ticket: number, result: WriteResult | undefined): Reply<WriterProtocol> {
  if (result === undefined) throw new Error('a batch answered fewer writes than it took')
  return 'written' in result ? { ticket, answer: result } : { ticket, ...result }
}

function later(slug: string, milliseconds: number): void {
  setTimeout(() => takeTurn(slug), milliseconds)
}

function takeBatch(queue: SiteQueue): Waiting[] {
  let count = 0
  let bytes = 0
  for (const { bytes: more } of queue.waiting) {
    if (count === BATCH_WRITES || (count > 0 && bytes + more > BATCH_BYTES)) break
    count++
    bytes += more
  }
  return queue.waiting.splice(0, count)
}

function writeBatch(queue: SiteQueue, batch: Waiting[]): WriteResult[] | 'locked' {
  try {
    checkReserve()
    const results = writerOf(queue).writeBatch(batch.map(({ write }) => write))
    queue.lockedSince = undefined
    return results
  } catch (error) {
    if (error instanceof RefLocked && staysPatient(queue)) return 'locked'
    queue.lockedSince = undefined
    const failure = toFailure(error)
    return batch.map(() => ({ failure }))
  }
}

function staysPatient(queue: SiteQueue): boolean {
  queue.lockedSince ??= performance.now()
  return performance.now() - queue.lockedSince < LOCK_PATIENCE_MS
}

/** Refuses before the disk is full, while there is room left to read, to repair and to delete. */
function checkReserve(): void {
  const { bavail, bsize } = statfsSync(settings.dataDir)
  if (bavail * bsize >= settings.diskReserveBytes) return
  throw new ServiceError('disk_reserve', 'The disk is nearly full: nothing is written until space is freed.')
}
