// Brings a site's rows from one commit to a later one. The rows are a pure function of the first-parent sequence, however
// many steps it is taken in: a rebuilt index equals one that followed every write.

import type { CommitFacts } from '../../model/commits/facts.js'
import { isUuid } from '../../model/ids.js'
import { deployKeyOf } from './commit-queries.js'
import { applyFiles } from './files/apply-files.js'
import { applyCollections, applyRecords } from './records/apply-records.js'
import { applyPages } from './pages/apply-pages.js'
import { assertCleared } from './forget-site.js'
import { type BlobReader, takeTitle } from './pages/page-title.js'
import { type Sql, storable } from './tables/sql.js'
import { IndexMoved, readPosition, storePosition } from './tables/index-position.js'

/**
 * Must run in a transaction. Reads the facts one by one and keeps none in memory. Calls `taken` after each, with its rows as that
 * commit left them.
 */
export function applyFacts(
  sql: Sql,
  siteId: string,
  facts: Iterable<CommitFacts>,
  read: BlobReader,
  taken?: (fact: CommitFacts) => void,
): void {
  const start = readPosition(sql, siteId)
  if (start === undefined) assertCleared(sql, siteId)
  if (start?.next !== undefined) throw new IndexMoved(`The index is on its way to ${start.next.commit}.`)
  let commit = start?.commit ?? null
  let ordinal = start?.ordinal ?? 0
  const untitled = new Set<string>()
  const takeTitles = () => {
    for (const pageId of untitled) takeTitle(sql, siteId, pageId, read)
    untitled.clear()
  }
  for (const fact of facts) {
    if (fact.parent !== commit) throw new IndexMoved(`The index is at ${commit}, not at ${fact.parent}.`)
    commit = fact.oid
    ordinal += 1
    storeRemovals(sql, siteId, fact, ordinal)
    applyPages(sql, siteId, { ...fact, position: ordinal }, read, untitled)
    applyFiles(sql, siteId, fact)
    applyCollections(sql, siteId, fact, ordinal)
    applyRecords(sql, siteId, fact, ordinal)
    finishCommit(sql, siteId, fact, ordinal)
    if (taken === undefined) continue
    takeTitles()
    taken(fact)
  }
  if (ordinal === (start?.ordinal ?? 0)) return
  // Of many versions only the last is read.
  takeTitles()
  storePosition(sql, siteId, { commit, ordinal, next: undefined })
}

/** Notes that the commit at `ordinal` removed files. Storing it again changes nothing. */
export function storeRemovals(sql: Sql, siteId: string, { removedFiles }: CommitFacts, ordinal: number): void {
  for (const treePath of removedFiles) {
    sql.run('INSERT OR REPLACE INTO removals (site_id, tree_path, position) VALUES (?, ?, ?)', [
      siteId,
      treePath,
      ordinal,
    ])
  }
}

/** Stores the commit's own rows: its date, and the idempotency key that it carries. Anybody can push a trailer: only the service's count. */
export function finishCommit(sql: Sql, siteId: string, fact: CommitFacts, ordinal: number): void {
  storeCommit(sql, siteId, fact, ordinal)
  if (fact.maker === null) return
  storeIdempotencyKey(sql, siteId, fact)
  storeDeployId(sql, siteId, fact)
}

/** A commit with a wrong clock takes the date from itself or from earlier commits, never from later ones. */
function storeCommit(sql: Sql, siteId: string, { oid, time, maker, verified }: CommitFacts, ordinal: number): void {
  sql.run('UPDATE commits SET dated_at = NULL WHERE site_id = ? AND dated_at > ?', [siteId, time])
  sql.run('INSERT INTO commits (site_id, oid, position, dated_at, maker, verified) VALUES (?, ?, ?, ?, ?, ?)', [
    siteId,
    oid,
    ordinal,
    time,
    maker && storable(maker),
    verified,
  ])
}

/** A deploy is published once: its id is kept as an idempotency key is. */
function storeDeployId(sql: Sql, siteId: string, { oid, time, trailers }: CommitFacts): void {
  const id = trailers['Deploy-Id']
  if (id === undefined || !isUuid(id)) return
  sql.run(
    `INSERT OR IGNORE INTO idempotency_keys (site_id, key_hash, request_hash, commit_oid, time) VALUES (?, ?, '', ?, ?)`,
    [siteId, deployKeyOf(id), oid, time],
  )
}

/** The trailer holds two SHA-256: of principal, route, site and key, and of the request. The newest commit with a key counts. */
function storeIdempotencyKey(sql: Sql, siteId: string, fact: CommitFacts): void {
  const trailer = /^([0-9a-f]{64}) ([0-9a-f]{64})$/.exec(fact.trailers['Idempotency-Key'] ?? '')
  if (trailer === null) return
  const [, keyHash = '', requestHash = ''] = trailer
  sql.run(
    `INSERT OR REPLACE INTO idempotency_keys (site_id, key_hash, request_hash, commit_oid, time) VALUES (?, ?, ?, ?, ?)`,
    [siteId, keyHash, requestHash, fact.oid, fact.time],
  )
}
