// The thread in which the text of the sites follows their index. Sites take turns.

import { workerData } from 'node:worker_threads'
import { JOB_TURN_MS } from '../../admission/background-rows.js'
import { SiteIndexes } from '../../index/site-index.js'
import { keepFewObjects } from '../../git/storage/object-cache.js'
import { DiskRepositories } from '../../repository/disk/disk-repositories.js'
import { toFailure } from '../../repository/protocol/failure.js'
import type { SiteRef } from '../../repository/protocol/write.js'
import { serveRequests } from '../../threads/serve.js'
import { Jobs } from '../../threads/jobs.js'
import { lowerThread } from '../../threads/giving-way.js'
import { TextFiles } from '../../index/text/text-file.js'
import { TextWalk } from './text-walk.js'

/** The thread's `workerData`. */
export interface TextIndexerData {
  dataDir: string
  /** Limit for the pages and records of one site. */
  maxCharacters: number
}

export interface TextIndexerProtocol {
  /** `forget` removes the text of a deleted site. */
  request: { kind: 'follow' | 'forget'; site: SiteRef }
  /** Position of the commit that the site's text describes, at least that of the index when the request came. */
  answer: number
  event: never
}

/** Lowest of all threads of the service: only a search waits for this one. */
const NICE = 10
const CACHE_KIBIBYTES = 4_000
/** A walk reads pages once, and the trees of a commit again for the next one. */
const OBJECT_BYTES = 8 * 1024 * 1024

const { dataDir, maxCharacters } = workerData as TextIndexerData
keepFewObjects(OBJECT_BYTES)
const repositories = new DiskRepositories(dataDir)
const indexes = new SiteIndexes(dataDir, { cacheKibibytes: CACHE_KIBIBYTES })
const texts = new TextFiles(dataDir)
lowerThread(NICE)

const post = serveRequests<TextIndexerProtocol>(({ kind, site }, ticket) => {
  if (kind === 'forget') {
    const given = jobs.giveUp(site.id)
    indexes.of(site.id).close()
    texts.remove(site.id)
    post({ replies: [...given, ticket].map((done) => ({ ticket: done, answer: 0 })) })
    return
  }
  jobs.add(site.id, ticket, () => startWalk(site))
})
const jobs = new Jobs<TextIndexerProtocol>({ turnMs: JOB_TURN_MS, say: post, failureOf: toFailure })

function startWalk(site: SiteRef): TextWalk {
  return new TextWalk({ maxCharacters, index: indexes.of(site.id), texts, repository: repositories.open(site) })
}
