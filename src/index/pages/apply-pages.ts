// Applies one commit to the rows of pages. Compares, for every path that it touched, the page there before with the page there now.
// Identity follows the path.

import type { CommitFacts } from '../../model/commits/facts.js'
import { derivePageId, isLaterId } from '../../model/ids.js'
import { treePathOf } from '../../model/paths/page-path.js'
import { nextVersion, storeVersion } from './next-version.js'
import { findOccupant, keepsPath, type Occupant } from './occupant.js'
import { type BlobReader, headColumns, settleSidecarTitle, titleColumns } from './page-head.js'
import { findStoredPage, type StoredPage, storePage } from './page-table.js'
import { changeTime } from '../tables/change-time.js'
import { foldText, type Sql, storable } from '../tables/sql.js'

/** Paths and pages that a commit may have changed. */
export interface Touched {
  /** Tree paths whose occupant may have changed. */
  paths: Set<string>
  /** Ids of the pages that stood there and of those whose sidecar changed; the value says whether the sidecar changed. */
  pages: Map<string, boolean>
}

/** A commit of a site, with its ordinal on the first-parent chain. */
export type PlacedFacts = CommitFacts & { siteId: string; position: number }

/**
 * Stores the files and sidecars of `fact`, and adds the paths and pages that they touch. The path of every changed file counts, with or
 * without a page there before. So a commit that is stored in several parts touches the same in total.
 */
export function storePageFiles(sql: Sql, fact: PlacedFacts, { paths, pages }: Touched): void {
  const here = findTouchedPaths(sql, fact)
  for (const path of here) paths.add(path)
  for (const { pageId } of fact.sidecars) pages.set(pageId, true)
  for (const pageId of findPagesAt(sql, here)) if (!pages.has(pageId)) pages.set(pageId, false)
  storeFiles(sql, fact)
  storeSidecars(sql, fact)
}

/**
 * Brings the touched pages to the commit, one page a step, after all its files and sidecars are stored. Adds to `unread` the pages whose
 * document must be read.
 */
export function* settlePages(
  sql: Sql,
  fact: PlacedFacts,
  { paths, pages }: Touched,
  read: BlobReader,
  unread: Set<string>,
): Generator<undefined, void> {
  const settle = (pageId: string, after: Occupant | undefined, isEdited: boolean) => {
    if (settlePage(sql, fact, read, pageId, after, isEdited)) unread.add(pageId)
  }
  for (const path of paths) {
    const occupant = findOccupant(sql, fact.siteId, path)
    if (occupant === undefined) continue
    settle(occupant.pageId, occupant, pages.get(occupant.pageId) === true)
    pages.delete(occupant.pageId)
    yield
  }
  for (const [pageId, isEdited] of pages) {
    settle(pageId, undefined, isEdited)
    yield
  }
}

/** Returns whether the page's document must be read. */
function settlePage(
  sql: Sql,
  fact: PlacedFacts,
  read: BlobReader,
  pageId: string,
  after: Occupant | undefined,
  isSidecarEdited: boolean,
): boolean {
  const known = findStoredPage(sql, pageId)
  if (after?.sidecar !== undefined && isSidecarEdited) {
    after.sidecar.title = settleSidecarTitle(sql, after, known?.blob ?? null, read)
  }
  const status = statusAfter(sql, known, after)
  const next = nextPage(pageId, fact, known, after, status, isSidecarEdited)
  if (next === undefined) return false
  const isUnread = known?.head_blob !== next.head_blob || known.title_is_set > next.title_is_set
  const head = isUnread && next.head_blob !== null ? read.knownHead?.(next.head_blob) : undefined
  storePage(sql, head === undefined ? next : { ...next, ...headColumns(next, head) }, known)
  if (next.version_commit === fact.oid) storeVersion(sql, fact, known, next)
  return isUnread && head === undefined
}

function findTouchedPaths(sql: Sql, fact: CommitFacts): Set<string> {
  const touched = new Set(fact.pageFiles.map(({ treePath }) => treePath))
  for (const { pageId, sidecar } of fact.sidecars) {
    if (sidecar !== null) touched.add(treePathOf(sidecar.path))
    const others = sql.all<{ tree_path: string }>(
      `SELECT tree_path FROM sidecars WHERE page_id = ?
       UNION SELECT tree_path FROM page_files WHERE derived_id = ?
       UNION SELECT page_files.tree_path FROM sidecars JOIN page_files ON derived_id = sidecars.page_id WHERE ?`,
      // A later id concerns the files whose first one a sidecar has taken: few, and seldom asked for.
      [pageId, pageId, isLaterId(pageId) ? 1 : 0],
    )
    for (const { tree_path } of others) touched.add(tree_path)
  }
  return touched
}

function findPagesAt(sql: Sql, treePaths: ReadonlySet<string>): Set<string> {
  const there = new Set<string>()
  for (const treePath of treePaths) {
    const pages = sql.all<{ page_id: string }>('SELECT page_id FROM pages WHERE tree_path = ?', [treePath])
    for (const { page_id } of pages) there.add(page_id)
  }
  return there
}

function storeFiles(sql: Sql, fact: PlacedFacts): void {
  for (const { treePath, path, after } of fact.pageFiles) {
    if (after === null) {
      sql.run('DELETE FROM page_files WHERE tree_path = ?', [treePath])
      continue
    }
    const derivedId = path === undefined ? null : derivePageId(fact.siteId, path)
    sql.run(
      `INSERT INTO page_files (tree_path, path, derived_id, blob, size) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (tree_path) DO UPDATE SET blob = excluded.blob, size = excluded.size`,
      [treePath, path ?? null, derivedId, after.oid, after.size],
    )
  }
}

function storeSidecars(sql: Sql, fact: CommitFacts): void {
  for (const { pageId, sidecar } of fact.sidecars) {
    if (sidecar === null) {
      sql.run('DELETE FROM sidecars WHERE page_id = ?', [pageId])
      continue
    }
    const { path, title, isTitleMarked, templateId } = sidecar
    sql.run(
      `INSERT OR REPLACE INTO sidecars (page_id, path, tree_path, title, is_title_marked, template_id)
       VALUES (?, ?, ?, ?, ?, ?)`,
      [
        pageId,
        path,
        treePathOf(path),
        title && storable(title),
        isTitleMarked ? 1 : 0,
        templateId && storable(templateId),
      ],
    )
  }
}

/** Returns the status of a page. A path keeps the page that last stood there, unpublished, until another one takes it. */
function statusAfter(sql: Sql, before: StoredPage | undefined, after: Occupant | undefined): StoredPage['status'] {
  if (after !== undefined) return after.file === undefined ? 'unpublished' : 'published'
  if (before === undefined || before.status === 'gone') return 'gone'
  return keepsPath(sql, before.page_id, before.tree_path) ? 'unpublished' : 'gone'
}

/** Returns the page's row after the commit; undefined if the commit did not change it or there is no page. */
function nextPage(
  pageId: string,
  fact: PlacedFacts,
  before: StoredPage | undefined,
  after: Occupant | undefined,
  status: StoredPage['status'],
  sidecarEdited: boolean,
): StoredPage | undefined {
  // A sidecar whose html never existed names no page yet.
  if (before === undefined && after?.file === undefined) return undefined
  const version = nextVersion(fact, before, after)
  if (version === undefined && !sidecarEdited && status === before?.status) return undefined
  const setTitle = after?.sidecar?.title ?? null
  // The document's own title is taken after all commits are applied.
  const title = setTitle ?? before?.title ?? null
  const path = after?.path ?? before?.path ?? ''
  return {
    page_id: pageId,
    path,
    tree_path: after?.treePath ?? before?.tree_path ?? '',
    ...titleColumns(title),
    title_is_set: setTitle === null ? 0 : 1,
    head_blob: status === 'gone' ? null : (after?.file?.blob ?? before?.head_blob ?? null),
    robots: before?.robots ?? null,
    canonical: before?.canonical ?? null,
    template_id: after?.sidecar?.template_id ?? null,
    status,
    blob: after?.file?.blob ?? null,
    size: after?.file?.size ?? 0,
    version_number: version?.number ?? before?.version_number ?? 0,
    version_commit: version?.commit ?? before?.version_commit ?? fact.oid,
    etag: fact.oid,
    created_at: before?.created_at ?? fact.time,
    updated_at: changeTime(fact, before?.updated_at),
    folded_path: foldText(path),
    changed: fact.position,
  }
}
