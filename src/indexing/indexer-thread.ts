// The thread in which the index follows changes of repositories that no writer thread made. The sites that are behind take
// turns, and so do searches for a page and comparisons of many sites.

import { workerData } from 'node:worker_threads'
import { SiteIndexes } from '../index/site-index.js'
import { keepFewObjects } from '../git/storage/object-cache.js'
import { DiskRepositories } from '../repository/disk/disk-repositories.js'
import { readSigners } from '../repository/disk/signing-key.js'
import { type Trouble, troubleOf } from '../repository/protocol/trouble.js'
import { serveRequests } from '../threads/serve.js'
import { Jobs } from '../threads/jobs.js'
import { LONG_WORK_NICENESS, lowerThread } from '../threads/giving-way.js'
import { failureOf } from '../threads/messages.js'
import { ServiceError } from '../model/errors.js'
import { toFailure } from '../repository/protocol/failure.js'
import type { SiteRef } from '../repository/protocol/write.js'
import { KnownPages } from './known-pages.js'
import { PageSearch } from './page-search.js'
import { SiteComparison } from './site-comparison.js'
import { SiteWalk } from './site-walk.js'

/** The thread's `workerData`. */
export interface IndexerData {
  dataDir: string
}

export interface IndexerProtocol {
  /** `forget` removes the file of a deleted site. `moved`: ids of the sites whose rows others wrote since the last such question. */
  request:
    | { kind: 'bring-to-head' | 'forget'; site: SiteRef }
    | { kind: 'find-behind'; sites: readonly SiteRef[]; moved: readonly string[] }
    | { kind: 'find-page'; siteIds: readonly string[]; pageId: string; moved: readonly string[] }
  /** Commits that main no longer reaches; or the ids of the sites that are behind, or that may have the page. */
  answer: readonly string[]
  /** A repository that the thread could not read, or a damaged file that it removed. */
  event: { site: SiteRef; trouble: Trouble } | { damaged: string; reason: string }
}

const CACHE_KIBIBYTES = 8_000
/** A writer thread locks a site for a millisecond or two; meanwhile other sites have their turns. */
const MAX_LOCK_WAIT_MS = 10
/** A walk reads pages once, and the trees of a commit again for the next one. */
const OBJECT_BYTES = 8 * 1024 * 1024

const { dataDir } = workerData as IndexerData
keepFewObjects(OBJECT_BYTES)
const repositories = new DiskRepositories(dataDir)
const indexes = new SiteIndexes(dataDir, {
  access: 'makes',
  cacheKibibytes: CACHE_KIBIBYTES,
  busyTimeout: MAX_LOCK_WAIT_MS,
  onDamaged: (damaged, reason) => post({ event: { damaged, reason: String(reason) } }),
})
const known = new KnownPages(indexes)
lowerThread(LONG_WORK_NICENESS)

const post = serveRequests<IndexerProtocol>((request, ticket) => {
  if ('moved' in request) for (const siteId of request.moved) known.expire(siteId)
  if (request.kind === 'find-behind') {
    jobs.add(`find-behind ${ticket}`, ticket, () => new SiteComparison(repositories, known, request.sites))
  } else if (request.kind === 'find-page') {
    const { siteIds, pageId } = request
    jobs.add(`find-page ${ticket}`, ticket, () => new PageSearch(known, siteIds, pageId))
  } else if (request.kind === 'forget') {
    forget(request.site, ticket)
  } else {
    jobs.add(request.site.id, ticket, () => startWalk(request.site))
  }
})
const jobs = new Jobs<IndexerProtocol>({ say: post, failureOf: toFailure })

/** Ends the walks of a deleted site, which would make the file again, and removes its rows. */
function forget({ id }: SiteRef, ticket: number): void {
  const failure = failureOf(new ServiceError('site_not_found', 'This site was deleted.'))
  post({ replies: jobs.giveUp(id).map((waiting) => ({ ticket: waiting, failure })) })
  try {
    known.expire(id)
    indexes.of(id).forget()
    post({ replies: [{ ticket, answer: [] }] })
  } catch (error) {
    post({ replies: [{ ticket, failure: toFailure(error) }] })
  }
}

function startWalk(site: SiteRef): SiteWalk {
  const noteFailure = (error: unknown) => {
    const trouble = troubleOf(error)
    if (trouble !== undefined) post({ event: { site, trouble } })
  }
  const walk = new SiteWalk(repositories.open(site), indexes.of(site.id), readSigners(dataDir), noteFailure)
  const advance = walk.advance.bind(walk)
  walk.advance = () => {
    known.expire(site.id)
    return advance()
  }
  return walk
}
