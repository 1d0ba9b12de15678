// The thread in which the index follows the repositories. The sites that are behind take turns.

import { workerData } from 'node:worker_threads'
import { openIndex } from '../catalog/index/site-index.js'
import { Turnstile } from '../catalog/sqlite/turnstile.js'
import { troubleOf } from '../store/health/inspect-repository.js'
import type { Trouble } from '../store/health/troubles.js'
import { serveRequests } from '../threads/serve.js'
import { toFailure } from '../store/protocol/failure.js'
import type { SiteRef } from '../store/protocol/write.js'
import { SiteWalk } from './site-walk.js'

/** `head`: the whole index at the site's head. `pages`: at least its pages. */
export type Reach = 'head' | 'pages'

/** What the thread is started with. */
export interface IndexerData {
  dataDir: string
  turnstileMemory: SharedArrayBuffer
}

export interface IndexerProtocol {
  request: { site: SiteRef; reach: Reach }
  /** Commits that main reached once and no longer does. */
  answer: readonly string[]
  /** What the thread could not read. */
  event: { site: SiteRef; trouble: Trouble }
}

interface Waiting {
  ticket: number
  reach: Reach
}

interface Job {
  /** Monotonic milliseconds. */
  begunAt: number
  walk: SiteWalk
  waiting: readonly Waiting[]
  /** Those for whom a leap began. */
  leapsFor: readonly Waiting[]
}

/** Milliseconds: one site's turn. */
const TURN = 40
/** A walk gets so long before pages go ahead of it, even where who asks has waited for this thread to start: milliseconds. */
const LEAP_AFTER = 250

/** Pages of the log after which this thread's own commits copy it. */
const CHECKPOINT_PAGES = 8_000
const CACHE_KIBIBYTES = 16_000
/** After so many transactions of the serving thread their log is copied here, and how often that is looked at, milliseconds. */
const CHECKPOINT_WRITES = 100
const CHECKPOINT_LOOK_MS = 250

const { dataDir, turnstileMemory } = workerData as IndexerData
const turnstile = new Turnstile(turnstileMemory)
const index = openIndex(dataDir, undefined, {
  checkpointPages: CHECKPOINT_PAGES,
  cacheKibibytes: CACHE_KIBIBYTES,
  last: turnstile,
})
let checkpointedAt = turnstile.passed
setInterval(checkpoint, CHECKPOINT_LOOK_MS)
const jobs = new Map<string, Job>()
let isRunning = false

const post = serveRequests<IndexerProtocol>(({ site, reach }, ticket) => {
  let job = jobs.get(site.id)
  if (job === undefined)
    jobs.set(site.id, (job = { walk: startWalk(site), begunAt: performance.now(), waiting: [], leapsFor: [] }))
  job.waiting = [...job.waiting, { ticket, reach }]
  if (!isRunning) takeTurns()
})

/** The serving thread writes to the log alone: the disk is waited for here. */
function checkpoint(): void {
  if (turnstile.passed - checkpointedAt < CHECKPOINT_WRITES) return
  checkpointedAt = turnstile.passed
  try {
    index.checkpoint()
  } catch {
    // Whoever reads or writes meets what is wrong with the file.
  }
}

function startWalk(site: SiteRef): SiteWalk {
  return new SiteWalk(dataDir, index, site, (error) => {
    const trouble = troubleOf(error)
    if (trouble !== undefined) post({ event: { site, trouble } })
  })
}

/** One turn for each site, then others' messages, then the next round. */
function takeTurns(): void {
  for (const [siteId, job] of jobs) if (isDone(job)) jobs.delete(siteId)
  isRunning = jobs.size > 0
  if (isRunning) setImmediate(takeTurns)
}

function isDone(job: Job): boolean {
  const end = performance.now() + TURN
  try {
    do {
      if (!job.walk.isLeaping && job.walk.advance()) return isTidy(job, end)
      goAhead(job)
    } while (performance.now() < end)
    return false
  } catch (error) {
    const failure = toFailure(error)
    post({ replies: job.waiting.map(({ ticket }) => ({ ticket, failure })) })
    job.walk.close()
    return true
  }
}

/** Who asks for pages alone gets them before a long walk goes on. */
function goAhead(job: Job): void {
  const { walk, begunAt, waiting } = job
  if (!walk.isLeaping) {
    if (performance.now() - begunAt < LEAP_AFTER) return
    job.leapsFor = waiting.filter(({ reach }) => reach === 'pages')
    if (job.leapsFor.length === 0 || !walk.canLeap) return
  }
  if (walk.leap()) answer(job, job.leapsFor)
}

/** The walk has arrived: nobody waits for what is still to be done. */
function isTidy(job: Job, end: number): boolean {
  answer(job, job.waiting)
  while (!job.walk.tidy()) if (performance.now() > end) return false
  job.walk.close()
  return true
}

function answer(job: Job, answered: readonly Waiting[]): void {
  post({ replies: answered.map(({ ticket }) => ({ ticket, answer: job.walk.lost })) })
  job.waiting = job.waiting.filter((waiting) => !answered.includes(waiting))
}
