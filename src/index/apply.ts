// Brings a site's rows from one commit to a later one. The rows depend only on the first-parent sequence, however
// many steps it is taken in: a rebuilt index equals one that followed every write.

import type { CommitFacts } from '../model/commits/facts.js'
import { isUuid } from '../model/ids.js'
import { deployKeyOf, requestKeyOf } from './commit-queries.js'
import { applyFiles } from './files/apply-files.js'
import { applyCollections, applyRecords } from './records/apply-records.js'
import { type PlacedFacts, settlePages, storePageFiles, type Touched } from './pages/apply-pages.js'
import { type BlobReader, takeHead } from './pages/page-head.js'
import { type Sql, storable } from './tables/sql.js'
import { IndexMoved, type IndexPosition, readPosition, storePosition } from './tables/index-position.js'

/** The facts of one commit: whole, or in several parts with a share of the changes each. All parts go into one transaction. */
export type Portions = Iterable<CommitFacts>

/**
 * Applies the commits after the one that the rows describe, oldest first. Must run in one transaction that ends after the last step.
 * A step takes about a millisecond. Calls `taken` after each commit, with its rows as that commit left them. Throws `IndexMoved`
 * if a commit does not follow the one before.
 */
export function* applyCommits(
  sql: Sql,
  siteId: string,
  commits: Iterable<Portions>,
  read: BlobReader,
  taken?: (commit: string) => void,
): Generator<undefined, void> {
  const start = readPosition(sql)
  let position = start
  const unread = new Set<string>()
  for (const portions of commits) {
    position = yield* applyCommit(sql, siteId, portions, position, read, unread)
    if (taken === undefined) continue
    yield* takeHeads(sql, unread, read)
    taken(position.commit)
  }
  // Documents are read last: of a page with many versions only the newest is read.
  yield* takeHeads(sql, unread, read)
  if (position !== undefined && position !== start) storePosition(sql, position)
}

function* applyCommit(
  sql: Sql,
  siteId: string,
  portions: Portions,
  before: IndexPosition | undefined,
  read: BlobReader,
  unread: Set<string>,
): Generator<undefined, IndexPosition> {
  const touched: Touched = { paths: new Set(), pages: new Map() }
  const position = (before?.ordinal ?? 0) + 1
  let fact: PlacedFacts | undefined
  for (const portion of portions) {
    if (portion.parent !== (before?.commit ?? null)) {
      throw new IndexMoved(`The index is at ${before?.commit}, not at ${portion.parent}.`)
    }
    fact = { ...portion, siteId, position }
    storePortion(sql, fact, touched)
    yield
  }
  if (fact === undefined) throw new Error('A commit has at least one portion.')
  yield* settlePages(sql, fact, touched, read, unread)
  finishCommit(sql, fact)
  return { commit: fact.oid, ordinal: position }
}

function storePortion(sql: Sql, fact: PlacedFacts, touched: Touched): void {
  storePageFiles(sql, fact, touched)
  storeRemovals(sql, fact)
  applyFiles(sql, fact)
  applyCollections(sql, fact, fact.position)
  applyRecords(sql, fact, fact.position)
}

function* takeHeads(sql: Sql, unread: Set<string>, read: BlobReader): Generator<undefined, void> {
  for (const pageId of unread) {
    takeHead(sql, pageId, read)
    yield
  }
  unread.clear()
}

/** Stores that the commit removed files. */
function storeRemovals(sql: Sql, { removedFiles, position }: PlacedFacts): void {
  for (const treePath of removedFiles) {
    sql.run('INSERT OR REPLACE INTO removals (tree_path, position) VALUES (?, ?)', [treePath, position])
  }
}

/** Stores the commit's own rows: its date and its idempotency key. Everybody can push a trailer, so only a signed maker's counts. */
function finishCommit(sql: Sql, fact: PlacedFacts): void {
  storeCommit(sql, fact)
  if (fact.maker === null) return
  storeIdempotencyKey(sql, fact)
  storeOnce(sql, fact, 'Deploy-Id', deployKeyOf)
  storeOnce(sql, fact, 'Change-Request', requestKeyOf)
}

/** Stores the commit, and clears later dates of earlier commits. So a wrong clock never costs a later commit its date. */
function storeCommit(sql: Sql, { oid, position, time, author, maker, verified }: PlacedFacts): void {
  sql.run('UPDATE commits SET dated_at = NULL WHERE dated_at > ?', [time])
  sql.run('INSERT INTO commits (oid, position, dated_at, author, maker, verified) VALUES (?, ?, ?, ?, ?, ?)', [
    oid,
    position,
    time,
    storable(author),
    maker && storable(maker),
    verified,
  ])
}

/** Stores the id in a trailer like an idempotency key, so that a deploy or a change request is published once. */
function storeOnce(
  sql: Sql,
  { oid, time, trailers }: CommitFacts,
  trailer: string,
  keyOf: (id: string) => string,
): void {
  const id = trailers[trailer]
  if (id === undefined || !isUuid(id)) return
  sql.run(`INSERT OR IGNORE INTO idempotency_keys (key_hash, request_hash, commit_oid, time) VALUES (?, '', ?, ?)`, [
    keyOf(id),
    oid,
    time,
  ])
}

/** Stores the trailer's two SHA-256: of principal, route, site and key, and of the request. The newest commit with a key counts. */
function storeIdempotencyKey(sql: Sql, fact: CommitFacts): void {
  const trailer = /^([0-9a-f]{64}) ([0-9a-f]{64})$/.exec(fact.trailers['Idempotency-Key'] ?? '')
  if (trailer === null) return
  const [, keyHash = '', requestHash = ''] = trailer
  sql.run(`INSERT OR REPLACE INTO idempotency_keys (key_hash, request_hash, commit_oid, time) VALUES (?, ?, ?, ?)`, [
    keyHash,
    requestHash,
    fact.oid,
    fact.time,
  ])
}
