// The thread in which the index follows the repositories. The sites that are behind take turns, and so do comparisons of
// many sites.

import { workerData } from 'node:worker_threads'
import { openIndex } from '../catalog/index/site-index.js'
import { WriteGate } from '../catalog/sqlite/write-gate.js'
import { keepFewObjects } from '../git/storage/object-cache.js'
import { DiskRepositories } from '../store/disk/disk-repositories.js'
import { readSigners } from '../store/disk/signing-key.js'
import { type Trouble, troubleOf } from '../store/protocol/trouble.js'
import { Heartbeat } from '../threads/heartbeat.js'
import { serveRequests } from '../threads/serve.js'
import { SteppedJobs } from '../threads/stepped-jobs.js'
import { LONG_WORK_NICENESS, lowerThread } from '../threads/giving-way.js'
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

const CACHE_KIBIBYTES = 8_000
/**
 * After so many transactions of the serving thread, or so many milliseconds of this one's, which write up to 60 MB a second, their log is
 * copied here: between two transactions, so that no write waits for the disk. The serving thread copies a log that has grown very long
 * itself, and serves nobody meanwhile.
 */
const CHECKPOINT_WRITES = 100
const CHECKPOINT_HELD_MS = 100
const CHECKPOINT_INTERVAL_MS = 250
/** A walk reads pages once, and the trees of a commit again for the next one. */
const OBJECT_BYTES = 8 * 1024 * 1024

const { dataDir, writeGateMemory, heartbeatMemory } = workerData as IndexerData
keepFewObjects(OBJECT_BYTES)
const repositories = new DiskRepositories(dataDir)
const writeGate = new WriteGate(writeGateMemory)
const heartbeat = new Heartbeat(heartbeatMemory)
const index = openIndex(dataDir, undefined, {
  checkpointPages: 0,
  cacheKibibytes: CACHE_KIBIBYTES,
  givesWayAt: writeGate,
  onSetAside: (setAside, cause) =>
    post({ event: { setAside, reason: cause instanceof Error ? cause.message : String(cause) } }),
})
let checkpointed = { writes: writeGate.finished, heldMs: writeGate.heldMs }
setInterval(checkpoint, CHECKPOINT_INTERVAL_MS)
lowerThread(LONG_WORK_NICENESS)

const post = serveRequests<IndexerProtocol>((request, ticket) => {
  if (request.kind === 'find-behind') {
    jobs.add(`find-behind ${ticket}`, ticket, () => new SiteComparison(repositories, index, request.sites))
  } else if (request.kind === 'forget') {
    giveUp(request.site)
    jobs.add(`forget ${ticket}`, ticket, () => new SiteRemoval(index, request.site.id))
  } else {
    jobs.add(request.site.id, ticket, () => startWalk(request.site))
  }
})
const jobs = new SteppedJobs<IndexerProtocol>({ say: post, heartbeat, failureOf: toFailure, betweenTurns: checkpoint })

/** All transactions write to the log alone, and this thread waits for the disk. */
function checkpoint(): void {
  const { finished: writes, heldMs } = writeGate
  if (writes - checkpointed.writes < CHECKPOINT_WRITES && heldMs - checkpointed.heldMs < CHECKPOINT_HELD_MS) return
  checkpointed = { writes, heldMs }
  try {
    index.checkpoint()
  } catch {
    // The next read or write reports what is wrong with the file.
  }
}

/** A walk would store rows again. */
function giveUp({ id }: SiteRef): void {
  const failure = failureOf(new ServiceError('site_not_found', 'This site was deleted.'))
  post({ replies: jobs.giveUp(id).map((ticket) => ({ ticket, failure })) })
}

function startWalk(site: SiteRef): SiteWalk {
  const noteFailure = (error: unknown) => {
    const trouble = troubleOf(error)
    if (trouble !== undefined) post({ event: { site, trouble } })
  }
  return new SiteWalk(repositories.open(site), index, site, readSigners(dataDir), noteFailure)
}
