// A commit of very many files, taken in portions: each is a transaction of its own, so that writes of other sites come
// between them. First all files and sidecars are stored, and which paths and pages they touch; then, a few at a time, those
// are brought to the commit. Until the last of them the site's standing says that its rows are of no commit. Whatever ends
// this in between, whoever begins again goes on from what the tables say; nothing is done twice.

import { randomUUID } from 'node:crypto'
import type { CommitFacts } from '../../model/facts.js'
import { finishCommit } from './apply.js'
import { findTouched, settlePage, storeFilesAndSidecars, type Touched } from './pages/apply-pages.js'
import { applyCollections, applyRecords } from './records/apply-records.js'
import { assertCleared } from './forget-site.js'
import { findOccupant, type Occupant } from './pages/occupant.js'
import { type BlobReader, takeTitle } from './pages/page-title.js'
import type { Sql, Transact } from './tables/sql.js'
import { IndexMoved, type Next, readStanding, type Standing, storeStanding } from './tables/standing.js'
import { isLeap } from './tables/tip-key.js'

/** For so long one transaction brings pages to the commit where nobody waits for it: milliseconds. */
const SETTLING_MS = 100
/** Looked up at once. */
const MOST_SETTLED = 500

/**
 * Takes the commit that all portions are of; each says what there is to say of it beside the changes. A transaction that
 * somebody waits for ends soon. Throws `IndexMoved`.
 */
export function* takeInPortions(
  transact: Transact,
  siteId: string,
  portions: Iterable<CommitFacts>,
  read: BlobReader,
  isWanted: () => boolean,
): Generator<undefined, void> {
  let attempt: string | undefined
  let commit: CommitFacts | undefined
  for (const portion of portions) {
    const next = transact((sql) => storePortion(sql, siteId, portion, attempt))
    commit = portion
    attempt = next.attempt
    if (next.isStored) break
    yield
  }
  if (commit === undefined || attempt === undefined) return
  const whole = { ...commit, attempt }
  transact((sql) => markStored(sql, siteId, whole))
  while (!transact((sql) => settleSome(sql, siteId, whole, read, isWanted))) yield
}

type Attempted = CommitFacts & Pick<Next, 'attempt'>

/**
 * Done again, it changes nothing: what was touched is known from the first time. `attempt` is what the portion before was
 * part of. Answers how far the commit is; where it was stored whole before, the portion is not looked at.
 */
function storePortion(sql: Sql, siteId: string, portion: CommitFacts, attempt: string | undefined): Next {
  const standing = attempt === undefined ? begin(sql, siteId, portion) : readStanding(sql, siteId)
  const next = standing?.next
  if (standing === undefined || next?.commit !== portion.oid || (attempt !== undefined && next.attempt !== attempt)) {
    throw movedFrom(portion)
  }
  if (next.isStored) return next
  noteTouched(sql, siteId, findTouched(sql, siteId, portion))
  storeFilesAndSidecars(sql, siteId, portion)
  applyCollections(sql, siteId, portion, standing.position + 1)
  applyRecords(sql, siteId, portion, standing.position + 1)
  return next
}

/** Where the site stands, on its way to the commit if it was not on its way before. */
function begin(sql: Sql, siteId: string, { oid, parent }: CommitFacts): Standing {
  const known = readStanding(sql, siteId)
  if (known === undefined) assertCleared(sql, siteId)
  const standing = known ?? { commit: null, position: 0, next: undefined }
  if (standing.commit !== parent) throw new IndexMoved(`The index stands at ${standing.commit}, not at ${parent}.`)
  if (standing.next !== undefined) return standing
  const begun = { ...standing, next: { commit: oid, attempt: randomUUID(), isStored: false } }
  storeStanding(sql, siteId, begun)
  return begun
}

function noteTouched(sql: Sql, siteId: string, { paths, pages }: Touched): void {
  for (const path of paths) {
    sql.run('INSERT OR IGNORE INTO touched_paths (site_id, tree_path) VALUES (?, ?)', [siteId, path])
  }
  for (const [pageId, isEdited] of pages) {
    sql.run(
      `INSERT INTO touched_pages (site_id, page_id, is_edited) VALUES (?, ?, ?)
       ON CONFLICT (site_id, page_id) DO UPDATE SET is_edited = max(is_edited, excluded.is_edited)`,
      [siteId, pageId, isEdited ? 1 : 0],
    )
  }
}

function markStored(sql: Sql, siteId: string, commit: Attempted): void {
  const standing = standingOn(sql, siteId, commit)
  storeStanding(sql, siteId, { ...standing, next: { ...standing.next, isStored: true } })
}

function standingOn(sql: Sql, siteId: string, commit: Attempted): Standing & { next: Next } {
  const standing = readStanding(sql, siteId)
  if (standing?.next === undefined || standing.next.attempt !== commit.attempt) throw movedFrom(commit)
  return { ...standing, next: standing.next }
}

function movedFrom({ oid }: CommitFacts): IndexMoved {
  return new IndexMoved(`The index is no longer on its way to ${oid}.`)
}

/** True when none was left, and the site's rows are of the commit. */
function settleSome(sql: Sql, siteId: string, fact: Attempted, read: BlobReader, isWanted: () => boolean): boolean {
  const standing = standingOn(sql, siteId, fact)
  const end = performance.now() + SETTLING_MS
  const settle = (pageId: string, occupant: Occupant | undefined, isEdited: boolean) => {
    if (settlePage(sql, siteId, fact, pageId, occupant, isEdited)) takeTitle(sql, siteId, pageId, read)
    return performance.now() < end && !isWanted()
  }
  if (!settlePaths(sql, siteId, settle) || !settlePages(sql, siteId, settle)) return false
  const position = standing.position + 1
  if (!isLeap(fact)) finishCommit(sql, siteId, fact, position)
  storeStanding(sql, siteId, { commit: fact.oid, position, next: undefined })
  return true
}

/** Brings a page to the commit. False when there is no time for another. */
type Settle = (pageId: string, occupant: Occupant | undefined, isEdited: boolean) => boolean

/** The pages that stand at touched paths now. True when no path is left. */
function settlePaths(sql: Sql, siteId: string, settle: Settle): boolean {
  const rows = sql.all<{ tree_path: string }>('SELECT tree_path FROM touched_paths WHERE site_id = ? LIMIT ?', [
    siteId,
    MOST_SETTLED,
  ])
  for (const { tree_path } of rows) {
    sql.run('DELETE FROM touched_paths WHERE site_id = ? AND tree_path = ?', [siteId, tree_path])
    const occupant = findOccupant(sql, siteId, tree_path)
    if (occupant === undefined) continue
    const touched = sql.first<{ is_edited: 0 | 1 }>(
      'DELETE FROM touched_pages WHERE site_id = ? AND page_id = ? RETURNING is_edited',
      [siteId, occupant.pageId],
    )
    if (!settle(occupant.pageId, occupant, touched?.is_edited === 1)) return false
  }
  return rows.length < MOST_SETTLED
}

/** The pages that stood there and stand nowhere now. True when none is left. */
function settlePages(sql: Sql, siteId: string, settle: Settle): boolean {
  const rows = sql.all<{ page_id: string; is_edited: 0 | 1 }>(
    'SELECT page_id, is_edited FROM touched_pages WHERE site_id = ? LIMIT ?',
    [siteId, MOST_SETTLED],
  )
  for (const { page_id, is_edited } of rows) {
    sql.run('DELETE FROM touched_pages WHERE site_id = ? AND page_id = ?', [siteId, page_id])
    if (!settle(page_id, undefined, is_edited === 1)) return false
  }
  return rows.length < MOST_SETTLED
}
