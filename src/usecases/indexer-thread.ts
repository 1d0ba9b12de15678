// The thread in which the index follows the repositories. The sites that are behind take turns.

import { parentPort, workerData } from 'node:worker_threads'
import { openIndex } from '../catalog/index/site-index.js'
import { troubleOf } from '../store/inspect-repository.js'
import type { Trouble } from '../store/troubles.js'
import { type Failure, toFailure } from '../store/failure.js'
import type { SiteRef } from '../store/write.js'
import { SiteWalk } from './site-walk.js'

/** `head`: the whole index at the site's head. `pages`: at least its pages. */
export type Reach = 'head' | 'pages'

export interface IndexRequest {
  ticket: number
  site: SiteRef
  reach: Reach
}

/** Said without being asked: what the thread could not read. */
export interface IndexTrouble {
  site: SiteRef
  trouble: Trouble
}

export type IndexReply = { ticket: number } & ({ lost: readonly string[] } | { failure: Failure })

interface Job {
  walk: SiteWalk
  waiting: { ticket: number; reach: Reach }[]
}

/** Milliseconds: one site's turn. */
const TURN = 40

const { dataDir } = workerData as { dataDir: string }
const index = openIndex(dataDir)
const jobs = new Map<string, Job>()
let isRunning = false

parentPort?.on('message', ({ ticket, site, reach }: IndexRequest) => {
  let job = jobs.get(site.id)
  if (job === undefined) jobs.set(site.id, (job = { walk: startWalk(site), waiting: [] }))
  job.waiting.push({ ticket, reach })
  if (!isRunning) takeTurns()
})

function startWalk(site: SiteRef): SiteWalk {
  return new SiteWalk(dataDir, index, site, (error) => {
    const trouble = troubleOf(error)
    if (trouble !== undefined) parentPort?.postMessage({ site, trouble } satisfies IndexTrouble)
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
    let arrived = job.walk.advance()
    if (!arrived && job.waiting.some(({ reach }) => reach === 'pages')) {
      job.walk.leap()
      answer(job, ({ reach }) => reach === 'pages')
    }
    while (!arrived && performance.now() < end) arrived = job.walk.advance()
    if (arrived) answer(job, () => true)
    if (arrived) job.walk.close()
    return arrived
  } catch (error) {
    const failure = toFailure(error)
    for (const { ticket } of job.waiting) parentPort?.postMessage({ ticket, failure } satisfies IndexReply)
    job.walk.close()
    return true
  }
}

function answer(job: Job, isMeant: (waiting: Job['waiting'][number]) => boolean): void {
  const { lost } = job.walk
  for (const { ticket } of job.waiting.filter(isMeant)) parentPort?.postMessage({ ticket, lost } satisfies IndexReply)
  job.waiting = job.waiting.filter((waiting) => !isMeant(waiting))
}
