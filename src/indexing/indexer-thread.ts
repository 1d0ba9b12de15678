// The thread in which the index follows the repositories. The sites that are behind take turns, and so do comparisons of
// many sites.

import { workerData } from 'node:worker_threads'
import { openIndex } from '../catalog/index/site-index.js'
import { WriteGate } from '../catalog/sqlite/write-gate.js'
import { boundSharedCache } from '../git/storage/object-cache.js'
import { DiskRepositories } from '../store/disk/disk-repositories.js'
import { readSigners } from '../store/disk/signing-key.js'
import { type Trouble, troubleOf } from '../store/protocol/trouble.js'
import { Heartbeat } from '../threads/heartbeat.js'
import { serveRequests } from '../threads/serve.js'
import { failureOf } from '../threads/messages.js'
import { ServiceError } from '../model/errors.js'
import { toFailure } from '../store/protocol/failure.js'
import type { SiteRef } from '../store/protocol/write.js'
import { SiteComparison } from './site-comparison.js'
import { SiteRemoval } from './site-removal.js'
import { SiteWalk } from './site-walk.js'

/** The thread's `workerData`. */
export interface IndexerData {
  dataDir: string
  writeGateMemory: SharedArrayBuffer
  heartbeatMemory: SharedArrayBuffer
}

export interface IndexerProtocol {
  /** `forget` removes all rows of a deleted site. */
  request: { kind: 'bring-to-head' | 'forget'; site: SiteRef } | { kind: 'find-behind'; sites: readonly SiteRef[] }
  /** Commits that main reached once and no longer reaches; or the ids of the sites that are behind. */
  answer: readonly string[]
  /** A repository that the thread could not read, or a damaged index that it set aside. */
  event: { site: SiteRef; trouble: Trouble } | { setAside: string; reason: string }
}

/** Work that is done in steps. */
interface Steps {
  /** Takes one step. True when there is nothing left to do. */
  advance(): boolean
  readonly answer: readonly string[]
  close(): void
}

interface Job {
  steps: Steps
  /** The tickets of the requests that wait for it. */
  tickets: number[]
}

/** How long one job goes on before the next one has its turn. */
const TURN_MS = 40

/** Pages in SQLite's log after which this thread's own commits copy them into the file. */
const CHECKPOINT_PAGES = 8_000
const CACHE_KIBIBYTES = 16_000
/** After this many transactions of the serving thread their log is copied here. */
const CHECKPOINT_WRITES = 100
const CHECKPOINT_INTERVAL_MS = 250
/** A walk reads pages once, and the trees of a commit again for the next one. */
const OBJECT_BYTES = 16 * 1024 * 1024

const { dataDir, writeGateMemory, heartbeatMemory } = workerData as IndexerData
boundSharedCache(OBJECT_BYTES)
const repositories = new DiskRepositories(dataDir)
const writeGate = new WriteGate(writeGateMemory)
const heartbeat = new Heartbeat(heartbeatMemory)
const index = openIndex(dataDir, undefined, {
  checkpointPages: CHECKPOINT_PAGES,
  cacheKibibytes: CACHE_KIBIBYTES,
  givesWayAt: writeGate,
  onSetAside: (setAside, cause) =>
    post({ event: { setAside, reason: cause instanceof Error ? cause.message : String(cause) } }),
})
let checkpointedWrites = writeGate.finished
setInterval(checkpoint, CHECKPOINT_INTERVAL_MS)
const jobs = new Map<string, Job>()
let isRunning = false

const post = serveRequests<IndexerProtocol>((request, ticket) => {
  if (request.kind === 'find-behind') {
    jobs.set(`find-behind ${ticket}`, {
      steps: new SiteComparison(repositories, index, request.sites),
      tickets: [ticket],
    })
  } else if (request.kind === 'forget') {
    giveUp(request.site)
    jobs.set(`forget ${ticket}`, { steps: new SiteRemoval(index, request.site.id), tickets: [ticket] })
  } else {
    const { site } = request
    heartbeat.beat(ticket)
    const job = jobs.get(site.id) ?? { steps: startWalk(site), tickets: [] }
    job.tickets.push(ticket)
    jobs.set(site.id, job)
  }
  if (!isRunning) takeTurns()
})

/** The serving thread writes to the log alone, and this thread waits for the disk. */
function checkpoint(): void {
  if (writeGate.finished - checkpointedWrites < CHECKPOINT_WRITES) return
  checkpointedWrites = writeGate.finished
  try {
    index.checkpoint()
  } catch {
    // The next read or write reports what is wrong with the file.
  }
}

/** A walk would store rows again. */
function giveUp({ id }: SiteRef): void {
  const job = jobs.get(id)
  if (job === undefined) return
  jobs.delete(id)
  job.steps.close()
  const failure = failureOf(new ServiceError('site_not_found', 'This site was deleted.'))
  post({ replies: job.tickets.map((ticket) => ({ ticket, failure })) })
}

function startWalk(site: SiteRef): SiteWalk {
  const noteFailure = (error: unknown) => {
    const trouble = troubleOf(error)
    if (trouble !== undefined) post({ event: { site, trouble } })
  }
  return new SiteWalk(repositories.open(site), index, site, readSigners(dataDir), noteFailure)
}

/** One turn for each job, then messages of other threads, then the next round. */
function takeTurns(): void {
  for (const [key, job] of jobs) if (isDone(job)) jobs.delete(key)
  isRunning = jobs.size > 0
  if (isRunning) setImmediate(takeTurns)
}

function isDone({ steps, tickets }: Job): boolean {
  const end = performance.now() + TURN_MS
  const [ticket = 0] = tickets
  try {
    do {
      if (performance.now() >= end) return false
      heartbeat.beat(ticket)
    } while (!steps.advance())
    post({ replies: tickets.map((done) => ({ ticket: done, answer: steps.answer })) })
  } catch (error) {
    const failure = toFailure(error)
    post({ replies: tickets.map((done) => ({ ticket: done, failure })) })
  }
  steps.close()
  return true
}
