// A writer thread: the sites take turns, and all writes that wait for a site are one batch. All calls are synchronous.

import { workerData } from 'node:worker_threads'
import { RefLocked } from '../../git/objects/errors.js'
import { ServiceError } from '../../model/errors.js'
import type { Reply } from '../../threads/messages.js'
import { serveRequests } from '../../threads/serve.js'
import { DiskRepositories } from '../disk/disk-repositories.js'
import { openSigner } from '../disk/signing-key.js'
import { toFailure } from '../protocol/failure.js'
import type { Repositories } from '../protocol/repository.js'
import { type SiteRef, sizeOf, type Write } from '../protocol/write.js'
import type { WriterAnswer, WriterProtocol, WriterRequest, WriterSettings } from '../protocol/writer-messages.js'
import { type Sign, SiteWriter, type WriteResult } from './site-writer.js'

const MAX_BATCH_WRITES = 64
const MAX_BATCH_BYTES = 16 * 1024 * 1024
/** How long a batch keeps trying for a lock that another program holds. */
const MAX_LOCKED_MS = 5000
const LOCK_RETRY_MS = 25
/** Past this many open sites the one that was idle for the longest time is closed. */
const MAX_OPEN_SITES = 256

interface Waiting {
  ticket: number
  write: Write
  bytes: number
}

interface SiteQueue {
  site: SiteRef
  waiting: Waiting[]
  writer: SiteWriter | undefined
  /** When the batch at the head of the queue first met a foreign lock. */
  lockedSince: number | undefined
}

const { dataDir, diskReserveBytes } = workerData as WriterSettings
const repositories: Repositories = new DiskRepositories(dataDir)
let signer: Sign | undefined
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

/** Ends a deleted site's queue; every write in it is answered. */
function refuseWaiting({ slug }: SiteRef): void {
  const queue = queues.get(slug)
  queues.delete(slug)
  queue?.writer?.close()
  const failure = toFailure(new ServiceError('site_not_found', 'This site was deleted. Nothing was written.'))
  post({ replies: (queue?.waiting ?? []).map(({ ticket }) => ({ ticket, failure })) })
}

function queueOf(site: SiteRef): SiteQueue {
  const queue = queues.get(site.slug) ?? { site, waiting: [], writer: undefined, lockedSince: undefined }
  queues.delete(site.slug)
  queues.set(site.slug, queue)
  if (queues.size > MAX_OPEN_SITES) closeLongestIdle()
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
  queue.writer ??= new SiteWriter(queue.site, repositories.openForWriting(queue.site), sign)
  return queue.writer
}

/** The key is made, or read, for the first commit. */
function sign(commit: Buffer): Buffer {
  signer ??= openSigner(dataDir)
  return signer(commit)
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

/** Runs one batch of one site. Messages that arrive during it are handled before the next batch. */
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
  const pause = queue.writer?.pauseFor(performance.now()) ?? 0
  if (pause > 0) return later(slug, pause)
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
      isMaintenanceDue: isMaintenanceDue(queue),
    },
    replies: batch.map(({ ticket }, i) => replyTo(ticket, results[i])),
  })
  if (queue.waiting.length > 0) turns.add(slug)
}

/** The batch is durable by now: a failure here must not look like one to write, and never ends the thread. */
function isMaintenanceDue({ writer }: SiteQueue): boolean {
  try {
    return writer?.takeMaintenanceDue() === true
  } catch {
    return false
  }
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
    if (count === MAX_BATCH_WRITES || (count > 0 && bytes + more > MAX_BATCH_BYTES)) break
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
