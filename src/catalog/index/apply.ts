// Brings a site's rows from one commit to a later one. A pure function of the first-parent sequence: in how many
// steps it is walked leaves no trace, so a rebuilt index equals one that followed every write.

import type { CommitFacts } from '../../model/facts.js'
import { applyCollections, applyRecords } from './records/apply-records.js'
import { applyCommit } from './commit-queries.js'
import { applyPages } from './pages/apply-pages.js'
import { assertCleared } from './forget-site.js'
import { type BlobReader, takeTitle } from './pages/page-title.js'
import type { Sql } from './tables/sql.js'
import { IndexMoved, readStanding, storeStanding } from './tables/standing.js'

/** Must run in a transaction. Reads the facts one by one and keeps none. */
export function applyFacts(sql: Sql, siteId: string, facts: Iterable<CommitFacts>, read: BlobReader): void {
  const standing = readStanding(sql, siteId)
  if (standing === undefined) assertCleared(sql, siteId)
  if (standing?.next !== undefined) throw new IndexMoved(`The index is on its way to ${standing.next.commit}.`)
  let commit = standing?.commit ?? null
  let position = standing?.position ?? 0
  const untitled = new Set<string>()
  for (const fact of facts) {
    if (fact.parent !== commit) throw new IndexMoved(`The index stands at ${commit}, not at ${fact.parent}.`)
    commit = fact.oid
    position += 1
    applyPages(sql, siteId, fact, untitled)
    applyCollections(sql, siteId, fact, position)
    applyRecords(sql, siteId, fact, position)
    finishCommit(sql, siteId, fact, position)
  }
  if (position === (standing?.position ?? 0)) return
  // Only the last of many versions is read.
  for (const pageId of untitled) takeTitle(sql, siteId, pageId, read)
  storeStanding(sql, siteId, { commit, position, next: undefined })
}

/** What is known of the commit beside what it did to pages, collections and records. */
export function finishCommit(sql: Sql, siteId: string, fact: CommitFacts, position: number): void {
  applyCommit(sql, siteId, fact, position)
  applyIdempotencyKey(sql, siteId, fact)
}

/** The trailer holds two SHA-256: of the key with whom and where, and of the request. A later commit takes the key over. */
function applyIdempotencyKey(sql: Sql, siteId: string, fact: CommitFacts): void {
  const trailer = /^([0-9a-f]{64}) ([0-9a-f]{64})$/.exec(fact.trailers['Idempotency-Key'] ?? '')
  if (trailer === null) return
  const [, keyHash = '', requestHash = ''] = trailer
  sql.run(
    `INSERT OR REPLACE INTO idempotency_keys (site_id, key_hash, request_hash, commit_oid, time) VALUES (?, ?, ?, ?, ?)`,
    [siteId, keyHash, requestHash, fact.oid, fact.time],
  )
}
