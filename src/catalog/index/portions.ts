// Indexes a commit of very many files in portions, a transaction each, so that writes of other sites come between them.
// First all files and sidecars are stored, with the paths and pages that they touch; then the touched pages are settled, a
// few at a time. Until the last one the site's index position says that its rows describe no commit. Whoever continues after an
// interruption goes on from what the tables say; nothing is done twice.

import { randomUUID } from 'node:crypto'
import type { CommitFacts } from '../../model/commits/facts.js'
import { finishCommit, storeRemovals } from './apply.js'
import { findTouched, settlePage, storeFilesAndSidecars, type Touched } from './pages/apply-pages.js'
import { applyFiles } from './files/apply-files.js'
import { applyCollections, applyRecords } from './records/apply-records.js'
import { assertCleared } from './forget-site.js'
import { findOccupant, type Occupant } from './pages/occupant.js'
import { type BlobReader, takeTitle } from './pages/page-title.js'
import type { Sql, Transact } from './tables/sql.js'
import {
  IndexMoved,
  type IndexPosition,
  type NextCommit,
  readPosition,
  storePosition,
} from './tables/index-position.js'

/** How long one transaction settles pages while no other thread wants to write, and while one does. Its commit takes half as long again. */
const MAX_SETTLING_MS = 20
const MIN_SETTLING_MS = 5
/** Rows read at once. */
const MAX_SETTLED_ROWS = 500

/**
 * Takes the portions of one commit; each holds the commit's own facts and a part of its changes. `isWanted` says that
 * another thread wants to write: the transaction then ends within 5 ms. Throws `IndexMoved`.
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
  const attempted = { ...commit, attempt }
  transact((sql) => markStored(sql, siteId, attempted))
  while (!transact((sql) => settleSome(sql, siteId, attempted, read, isWanted))) yield
}

type AttemptedCommit = CommitFacts & Pick<NextCommit, 'attempt'>

/**
 * Storing a portion again changes nothing: the first time noted what it touches. `attempt` is the one that the portion
 * before belongs to. Returns the commit's progress; where all portions are stored already, this one is not looked at.
 */
function storePortion(sql: Sql, siteId: string, portion: CommitFacts, attempt: string | undefined): NextCommit {
  const position = attempt === undefined ? begin(sql, siteId, portion) : readPosition(sql, siteId)
  const next = position?.next
  if (position === undefined || next?.commit !== portion.oid || (attempt !== undefined && next.attempt !== attempt)) {
    throw movedFrom(portion)
  }
  if (next.isStored) return next
  noteTouched(sql, siteId, findTouched(sql, siteId, portion))
  storeRemovals(sql, siteId, portion, position.ordinal + 1)
  storeFilesAndSidecars(sql, siteId, portion)
  applyFiles(sql, siteId, portion)
  applyCollections(sql, siteId, portion, position.ordinal + 1)
  applyRecords(sql, siteId, portion, position.ordinal + 1)
  return next
}

/** The site's index position, with the commit as the next one if none was begun before. */
function begin(sql: Sql, siteId: string, { oid, parent }: CommitFacts): IndexPosition {
  const known = readPosition(sql, siteId)
  if (known === undefined) assertCleared(sql, siteId)
  const position = known ?? { commit: null, ordinal: 0, next: undefined }
  if (position.commit !== parent) throw new IndexMoved(`The index is at ${position.commit}, not at ${parent}.`)
  if (position.next !== undefined) return position
  const begun = { ...position, next: { commit: oid, attempt: randomUUID(), isStored: false } }
  storePosition(sql, siteId, begun)
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

function markStored(sql: Sql, siteId: string, commit: AttemptedCommit): void {
  const position = positionOn(sql, siteId, commit)
  storePosition(sql, siteId, { ...position, next: { ...position.next, isStored: true } })
}

function positionOn(sql: Sql, siteId: string, commit: AttemptedCommit): IndexPosition & { next: NextCommit } {
  const position = readPosition(sql, siteId)
  if (position?.next === undefined || position.next.attempt !== commit.attempt) throw movedFrom(commit)
  return { ...position, next: position.next }
}

function movedFrom({ oid }: CommitFacts): IndexMoved {
  return new IndexMoved(`The index is no longer on its way to ${oid}.`)
}

/** True when no touched page is left, and the site's rows describe the commit. */
function settleSome(
  sql: Sql,
  siteId: string,
  fact: AttemptedCommit,
  read: BlobReader,
  isWanted: () => boolean,
): boolean {
  const position = positionOn(sql, siteId, fact)
  const began = performance.now()
  const placed = { ...fact, position: position.ordinal + 1 }
  const settle = (pageId: string, occupant: Occupant | undefined, isEdited: boolean) => {
    if (settlePage(sql, siteId, placed, read, pageId, occupant, isEdited)) takeTitle(sql, siteId, pageId, read)
    return performance.now() - began < (isWanted() ? MIN_SETTLING_MS : MAX_SETTLING_MS)
  }
  if (!settlePaths(sql, siteId, settle) || !settlePages(sql, siteId, settle)) return false
  const ordinal = position.ordinal + 1
  finishCommit(sql, siteId, fact, ordinal)
  storePosition(sql, siteId, { commit: fact.oid, ordinal, next: undefined })
  return true
}

/** Brings a page to the commit. False when there is no time for another one. */
type Settle = (pageId: string, occupant: Occupant | undefined, isEdited: boolean) => boolean

/** The pages that stand at touched paths now. True when no path is left. */
function settlePaths(sql: Sql, siteId: string, settle: Settle): boolean {
  const rows = sql.all<{ tree_path: string }>('SELECT tree_path FROM touched_paths WHERE site_id = ? LIMIT ?', [
    siteId,
    MAX_SETTLED_ROWS,
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
  return rows.length < MAX_SETTLED_ROWS
}

/** The pages that stood at touched paths before and stand nowhere now. True when none is left. */
function settlePages(sql: Sql, siteId: string, settle: Settle): boolean {
  const rows = sql.all<{ page_id: string; is_edited: 0 | 1 }>(
    'SELECT page_id, is_edited FROM touched_pages WHERE site_id = ? LIMIT ?',
    [siteId, MAX_SETTLED_ROWS],
  )
  for (const { page_id, is_edited } of rows) {
    sql.run('DELETE FROM touched_pages WHERE site_id = ? AND page_id = ?', [siteId, page_id])
    if (!settle(page_id, undefined, is_edited === 1)) return false
  }
  return rows.length < MAX_SETTLED_ROWS
}
