// Brings a site's rows from one commit to a later one. A pure function of the first-parent sequence: in how many
// steps it is walked leaves no trace, so a rebuilt index equals one that followed every write.

import type { CommitFacts } from '../../model/facts.js'
import { applyCollections, applyRecords } from './apply-records.js'
import { applyCommit } from './commit-queries.js'
import { applyPages } from './apply-pages.js'
import { foldText, type Sql, storable } from './sql.js'
import { isLeap } from './tip.js'

const REBUILD_COMMITS = 100

/** Another process moved the index, or is about to: ask `indexedCommit` where it stands and go on from there. */
export class IndexMoved extends Error {
  override name = 'IndexMoved'
}

/** What the index needs of the blobs: the `<title>` of a document, null without one or without the blob. */
export interface BlobReader {
  title(blobOid: string): string | null
}

interface SiteState {
  indexed_commit: string
  position: number
}

export function readSiteState(sql: Sql, siteId: string): SiteState | undefined {
  return sql.first<SiteState>('SELECT indexed_commit, position FROM sites WHERE site_id = ?', [siteId])
}

/** Must run in a transaction. Reads the facts one by one and keeps none. */
export function applyFacts(sql: Sql, siteId: string, facts: Iterable<CommitFacts>, read: BlobReader): void {
  const state = readSiteState(sql, siteId)
  let commit = state?.indexed_commit ?? null
  let position = state?.position ?? 0
  const untitled = new Set<string>()
  for (const fact of facts) {
    if (fact.parent !== commit) throw new IndexMoved(`The index stands at ${commit}, not at ${fact.parent}.`)
    commit = fact.oid
    position += 1
    if (!isLeap(fact)) applyCommit(sql, siteId, fact, position)
    applyPages(sql, siteId, fact, untitled)
    applyCollections(sql, siteId, fact, position)
    applyRecords(sql, siteId, fact, position)
    applyIdempotencyKey(sql, siteId, fact)
  }
  if (commit === null || position === state?.position) return
  for (const pageId of untitled) takeTitle(sql, siteId, pageId, read)
  sql.run('INSERT OR REPLACE INTO sites (site_id, indexed_commit, position) VALUES (?, ?, ?)', [
    siteId,
    commit,
    position,
  ])
}

/** Takes of `facts` what continues where the index stands: all, the rest, or nothing. Must run in a transaction. */
export function applyRest(sql: Sql, siteId: string, facts: readonly CommitFacts[], read: BlobReader): void {
  const indexed = readSiteState(sql, siteId)?.indexed_commit ?? null
  const next = facts.findIndex(({ parent }) => parent === indexed)
  if (next >= 0) applyFacts(sql, siteId, facts.slice(next), read)
}

/** Facts in portions that one transaction of a rebuild takes. */
export function* chunksOf(facts: Iterable<CommitFacts>): Generator<CommitFacts[]> {
  let chunk: CommitFacts[] = []
  for (const fact of facts) {
    chunk.push(fact)
    if (chunk.length < REBUILD_COMMITS) continue
    yield chunk
    chunk = []
  }
  yield chunk
}

/** A page without a sidecar has its document's title. Only the last of many versions is read. */
function takeTitle(sql: Sql, siteId: string, pageId: string, read: BlobReader): void {
  const page = sql.first<{ blob: string }>(
    'SELECT blob FROM pages WHERE site_id = ? AND page_id = ? AND has_sidecar = 0 AND blob IS NOT NULL',
    [siteId, pageId],
  )
  if (page === undefined) return
  const title = read.title(page.blob)
  sql.run('UPDATE pages SET title = ?, folded_title = ? WHERE site_id = ? AND page_id = ?', [
    title === null ? null : storable(title),
    foldText(title ?? ''),
    siteId,
    pageId,
  ])
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
