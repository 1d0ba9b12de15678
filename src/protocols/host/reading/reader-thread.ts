// A thread that reads for visitors: it resolves a target and reads the file, in one go. With a limit of bytes it gives up longer reads, so
// that no site holds up the others. A second thread, without a limit, does those.

import { workerData } from 'node:worker_threads'
import { SiteIndexes } from '../../../index/site-index.js'
import { keepFewObjects } from '../../../git/storage/object-cache.js'
import type { ReadBudget } from '../../../git/storage/object-reader.js'
import { createPastCommits } from '../../../indexing/past-commits.js'
import { DiskRepositories } from '../../../repository/disk/disk-repositories.js'
import { toFailure } from '../../../repository/protocol/failure.js'
import { type Trouble, troubleOf } from '../../../repository/protocol/trouble.js'
import { LONG_WORK_NICENESS, lowerThread } from '../../../threads/giving-way.js'
import type { SiteRef } from '../../../repository/protocol/write.js'
import { serveRequests } from '../../../threads/serve.js'
import { OpenSites } from './open-sites.js'
import type {
  ReaderAnswer,
  ReaderProtocol,
  ReaderThreadData,
  ReadName,
  ReadOutput,
  ReadRequest,
} from './reader-protocol.js'
import { READS, type ReadingParts } from './reads.js'

class BudgetSpent extends Error {}

/** The bytes that may still be read for this request. */
class Budget implements ReadBudget {
  #left = 0

  get isSpent(): boolean {
    return this.#left < 0
  }

  renew(bytes: number): void {
    this.#left = bytes
  }

  spend(bytes: number): void {
    this.#left -= bytes
    if (this.isSpent) throw new BudgetSpent()
  }
}

const { dataDir, hasIndex, maxBytes } = workerData as ReaderThreadData
if (maxBytes === undefined) {
  lowerThread(LONG_WORK_NICENESS)
  keepFewObjects()
}
const budget = new Budget()
/** Faults that this request has found. */
let troubles: Trouble[] = []
let isBehind = false

const indexes = hasIndex ? new SiteIndexes(dataDir) : undefined
const parts: ReadingParts = {
  sites: new OpenSites(new DiskRepositories(dataDir, budget), (error) => {
    // Nothing may take it for a fault of the repository.
    if (error instanceof BudgetSpent) throw error
    const trouble = troubleOf(error)
    if (trouble !== undefined) troubles.push(trouble)
  }),
  past: createPastCommits({
    indexes,
    onBehind: () => (isBehind = true),
  }),
}

const say = serveRequests<ReaderProtocol>((request, ticket) => {
  if ('remember' in request) return parts.sites.remember(request.site, request.remember)
  if ('forget' in request) return forget(request.forget)
  const answer = answerTo(request)
  say({ replies: [{ ticket, answer }] }, 'output' in answer ? movedOf(answer.output) : [])
})

/** Closes the files of a deleted site. */
function forget(site: SiteRef): void {
  parts.sites.forget(site)
  indexes?.of(site.id).close()
}

function answerTo({ read, input }: ReadRequest): ReaderAnswer {
  budget.renew(maxBytes ?? Number.POSITIVE_INFINITY)
  troubles = []
  isBehind = false
  try {
    const work = READS[read] as (parts: ReadingParts, input: unknown) => ReadOutput<ReadName>
    return { output: work(parts, input), troubles }
  } catch (error) {
    if (budget.isSpent) return { isTooLong: true, troubles }
    if (isBehind) return { isBehind: true, troubles }
    return { failure: toFailure(error), troubles }
  }
}

/** Returns the memory that the serving thread takes over. Copying a short body costs less than that. */
function movedOf(output: ReadOutput<ReadName>): ArrayBuffer[] {
  return output instanceof Uint8Array ? [output.buffer] : []
}
