// The thread in which the index follows changes of repositories that no writer thread made. The sites that are behind take
// turns, and so do searches for a page and comparisons of many sites.

import { workerData } from 'node:worker_threads'
import { JOB_TURN_MS } from '../admission/background-rows.js'
import { SiteIndexes } from '../index/site-index.js'
import { IndexLost, IndexMoved } from '../index/tables/index-position.js'
import { keepFewObjects } from '../git/storage/object-cache.js'
import { DiskRepositories } from '../repository/disk/disk-repositories.js'
import { readSigners } from '../repository/disk/signing-key.js'
import { type Trouble, troubleOf } from '../repository/protocol/trouble.js'
import { HistoryReader } from '../repository/reading/history-reader.js'
import { serveRequests } from '../threads/serve.js'
import { Jobs, type Steps } from '../threads/jobs.js'
import { LONG_WORK_NICENESS, lowerThread } from '../threads/giving-way.js'
import { failureOf } from '../threads/messages.js'
import { ServiceError } from '../model/errors.js'
import { toFailure } from '../repository/protocol/failure.js'
import { placeOf } from '../repository/protocol/site-place.js'
import type { SiteRef } from '../repository/protocol/write.js'
import { KnownPages } from './known-pages.js'
import { SiteWalk } from './site-walk.js'

/** The thread's `workerData`. */
export interface IndexerData {
  dataDir: string
}

export interface IndexerProtocol {
  /**
   * `fork` copies the site's rows for a change request that begins, `seed` for one without rows if they are those of its fork. `forget`
   * removes the files of a deleted site, or of an ended change request. `moved`: ids of the sites whose rows others wrote since the last
   * such question.
   */
  request:
    | { kind: 'bring-to-head' | 'fork' | 'seed' | 'forget'; site: SiteRef }
    | { kind: 'find-behind'; sites: readonly SiteRef[]; moved: readonly string[] }
    | { kind: 'find-page'; siteIds: readonly string[]; pageId: string; moved: readonly string[] }
  /**
   * Commits that main no longer reaches, or the ids of the sites that are behind or that may have the page. After `fork`, the commit of the
   * rows.
   */
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
    jobs.add(`find-behind ${ticket}`, ticket, () => scan(request.sites, isBehind))
  } else if (request.kind === 'find-page') {
    const { siteIds, pageId } = request
    const sites = siteIds.map((id) => ({ id }))
    jobs.add(`find-page ${ticket}`, ticket, () => scan(sites, ({ id }) => known.mayHave(id, pageId)))
  } else if (request.kind === 'forget') {
    forget(request.site, ticket)
  } else if (request.kind === 'fork') {
    answerOf(ticket, () => copyRows(request.site))
  } else if (request.kind === 'seed') {
    jobs.add(placeOf(request.site), ticket, () => startSeed(request.site))
  } else {
    jobs.add(placeOf(request.site), ticket, () => startWalk(request.site))
  }
})
const jobs = new Jobs<IndexerProtocol>({ turnMs: JOB_TURN_MS, say: post, failureOf: toFailure })

/** Looks at one site in each step. Answers with the ids of those that are wanted, or that cannot be read: their next reader says why. */
function scan<T extends { id: string }>(sites: readonly T[], isWanted: (site: T) => boolean): Steps<readonly string[]> {
  const left = sites.values()
  const answer: string[] = []
  return {
    answer,
    advance() {
      const { done, value: site } = left.next()
      if (done === true) return true
      try {
        if (isWanted(site)) answer.push(site.id)
      } catch {
        answer.push(site.id)
      }
      return false
    },
    close: () => undefined,
  }
}

/** Whether the site's index is not at its head: one small read of a ref, without opening a repository. */
function isBehind(site: SiteRef): boolean {
  const indexed =
    site.request === undefined ? known.indexedCommit(site.id) : indexes.of(site.id, site.request).indexedCommit
  return indexed === undefined || indexed !== repositories.open(site).head()
}

/** Ends the walks of a deleted site, which would make the file again, and removes its rows. */
function forget(site: SiteRef, ticket: number): void {
  const failure = failureOf(new ServiceError('site_not_found', 'This site was deleted.'))
  post({ replies: jobs.giveUp(placeOf(site)).map((waiting) => ({ ticket: waiting, failure })) })
  answerOf(ticket, () => {
    if (site.request !== undefined) indexes.of(site.id, site.request).forget()
    else {
      known.expire(site.id)
      indexes.forget(site.id)
    }
    return []
  })
}

function answerOf(ticket: number, work: () => readonly string[]): void {
  try {
    post({ replies: [{ ticket, answer: work() }] })
  } catch (error) {
    post({ replies: [{ ticket, failure: toFailure(error) }] })
  }
}

/** Copies the site's rows for a change request. Returns the commit that they describe; nothing if they are lost, or others write them. */
function copyRows({ id, request }: SiteRef): readonly string[] {
  try {
    const rows = indexes.of(id, request)
    rows.copyFrom(indexes.of(id))
    return rows.indexedCommit === undefined ? [] : [rows.indexedCommit]
  } catch (error) {
    if (error instanceof IndexLost || error instanceof IndexMoved) return []
    throw error
  }
}

/** Gives a change request without rows those of its site, if these describe its fork. It may be new on this machine, or its rows lost. */
function seedRows(site: SiteRef): void {
  if (site.request === undefined) return
  try {
    if (indexes.of(site.id, site.request).indexedCommit === undefined && areOfFork(site)) copyRows(site)
  } catch {
    // The walk makes the rows, or says what is wrong.
  }
}

/** Whether the site's rows describe a commit that the change request builds on: of its commits that they know, the newest. */
function areOfFork(site: SiteRef): boolean {
  const branch = new HistoryReader(repositories.open(site), [])
  try {
    const { commits, indexedCommit } = indexes.of(site.id)
    const head = branch.head()
    if (head === undefined || indexedCommit === undefined) return false
    for (const oid of branch.commitsSince(undefined, head))
      if (commits.positionOf(oid) !== undefined) return oid === indexedCommit
    return false
  } finally {
    branch.close()
  }
}

function startSeed(site: SiteRef): Steps<readonly string[]> {
  return {
    answer: [],
    advance() {
      seedRows(site)
      return true
    },
    close: () => undefined,
  }
}

function startWalk(site: SiteRef): SiteWalk {
  seedRows(site)
  const rows = indexes.of(site.id, site.request)
  const noteFailure = (error: unknown) => {
    const trouble = troubleOf(error)
    if (trouble !== undefined) post({ event: { site, trouble } })
  }
  const walk = new SiteWalk(repositories.open(site), rows, readSigners(dataDir), noteFailure)
  const advance = walk.advance.bind(walk)
  walk.advance = () => {
    if (site.request === undefined) known.expire(site.id)
    return advance()
  }
  return walk
}
