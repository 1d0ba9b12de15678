// Questions about pages and their versions. Pages that are gone answer none. Indexes are named where SQLite, which
// knows nothing of how many pages a site has, would read them all.

import { toTimestamp } from '../../../model/clock.js'
import { conditionAfter, isText, isWhole, type Order, orderBy, rowsToAsk, toListing } from '../tables/cursor.js'
import { findStoredPage, PAGE_COLUMNS, type StoredPage } from './page-table.js'
import type { InertSidecar, Listing, PageQuery, PageRow, Slice, VersionAction, VersionRow } from '../tables/rows.js'
import { type Condition, foldText, joinConditions, type Sql } from '../tables/sql.js'

/** A path has at most one page that is not gone, so it alone orders them. */
const BY_PATH: Order = { name: 'pages', columns: [{ column: 'path', descending: false, holds: isText }] }
const NEWEST_FIRST: Order = { name: 'versions', columns: [{ column: 'number', descending: true, holds: isWhole }] }

export function findPage(sql: Sql, siteId: string, pageId: string): PageRow | undefined {
  const page = findStoredPage(sql, siteId, pageId)
  return page === undefined || page.status === 'gone' ? undefined : toPageRow(siteId, page)
}

/** The page that is at `path`, or was until it was unpublished. */
export function findPageByPath(sql: Sql, siteId: string, path: string): PageRow | undefined {
  const page = sql.first<StoredPage>(
    `SELECT ${PAGE_COLUMNS} FROM pages INDEXED BY pages_by_path WHERE site_id = ? AND path = ? AND status <> 'gone'`,
    [siteId, path],
  )
  return page && toPageRow(siteId, page)
}

export function listPages(sql: Sql, siteId: string, query: PageQuery): Listing<PageRow> {
  const where = joinConditions([...pageConditions(siteId, query), conditionAfter(BY_PATH, query.cursor)], 'AND')
  const pages = sql.all<StoredPage>(
    `SELECT ${PAGE_COLUMNS} FROM pages INDEXED BY ${query.status === 'all' ? 'pages_by_path' : 'pages_by_status'}
     WHERE ${where.text} ORDER BY ${orderBy(BY_PATH)} LIMIT ?`,
    [...where.values, rowsToAsk(query.limit)],
  )
  return toListing(
    BY_PATH,
    query.limit,
    pages,
    (page) => [page.path],
    (page) => toPageRow(siteId, page),
  )
}

/** Those that visitors can see. */
export function countPages(sql: Sql, siteId: string): number {
  const query =
    "SELECT count(*) AS count FROM pages INDEXED BY pages_by_status WHERE site_id = ? AND status = 'published'"
  return sql.first<{ count: number }>(query, [siteId])?.count ?? 0
}

function pageConditions(siteId: string, { status = 'published', path, prefix, q }: PageQuery): Condition[] {
  const conditions: Condition[] = [{ text: 'site_id = ?', values: [siteId] }]
  if (status === 'all') conditions.push({ text: "status <> 'gone'", values: [] })
  else conditions.push({ text: 'status = ?', values: [status] })
  if (path !== undefined) conditions.push({ text: 'path = ?', values: [path] })
  // No text has a byte above the last one: the index alone finds what begins with the prefix.
  if (prefix !== undefined) {
    conditions.push({ text: "path >= ? AND path < ? || CAST(x'FF' AS TEXT)", values: [prefix, prefix] })
  }
  if (q !== undefined && q !== '') {
    const part = foldText(q)
    conditions.push({ text: 'instr(folded_path, ?) > 0 OR instr(folded_title, ?) > 0', values: [part, part] })
  }
  return conditions
}

/** Those of `siteIds` that have the page, published or not. */
export function findSitesWithPage(sql: Sql, siteIds: readonly string[], pageId: string): string[] {
  return siteIds.filter((siteId) => findPage(sql, siteId, pageId) !== undefined)
}

interface StoredVersion {
  page_id: string
  number: number
  commit_oid: string
  action: VersionAction
  author: string
  message: string
  path: string
  blob: string | null
  size: number
  created_at: number
}

const VERSION_COLUMNS = 'page_id, number, commit_oid, action, author, message, path, blob, size, created_at'

export function listVersions(sql: Sql, siteId: string, pageId: string, slice: Slice): Listing<VersionRow> {
  const after = conditionAfter(NEWEST_FIRST, slice.cursor)
  const versions = sql.all<StoredVersion>(
    `SELECT ${VERSION_COLUMNS} FROM versions WHERE site_id = ? AND page_id = ? AND (${after.text})
     ORDER BY ${orderBy(NEWEST_FIRST)} LIMIT ?`,
    [siteId, pageId, ...after.values, rowsToAsk(slice.limit)],
  )
  return toListing(NEWEST_FIRST, slice.limit, versions, (version) => [version.number], toVersionRow)
}

/** `version` is a number or the full oid of its commit. */
export function findVersion(
  sql: Sql,
  siteId: string,
  pageId: string,
  version: number | string,
): VersionRow | undefined {
  const where =
    typeof version === 'number'
      ? 'WHERE site_id = ? AND page_id = ? AND number = ?'
      : 'INDEXED BY versions_by_commit WHERE site_id = ? AND page_id = ? AND commit_oid = ?'
  const found = sql.first<StoredVersion>(`SELECT ${VERSION_COLUMNS} FROM versions ${where}`, [siteId, pageId, version])
  return found && toVersionRow(found)
}

/** When the html of each published page was last changed: seconds. */
export function listLastChanges(sql: Sql, siteId: string): { path: string; time: number }[] {
  return sql.all<{ path: string; time: number }>(
    `SELECT pages.path AS path, versions.created_at AS time
     FROM pages INDEXED BY pages_by_status
     JOIN versions ON versions.site_id = pages.site_id AND versions.page_id = pages.page_id
       AND versions.number = pages.version_number
     WHERE pages.site_id = ? AND pages.status = 'published'`,
    [siteId],
  )
}

export function listInertSidecars(sql: Sql, siteId: string): InertSidecar[] {
  return sql.all<InertSidecar>(
    `SELECT other.page_id AS pageId, other.path AS path, min(winner.page_id) AS winnerId
     FROM sidecars AS other
     JOIN sidecars AS winner ON winner.site_id = other.site_id AND winner.tree_path = other.tree_path
     WHERE other.site_id = ?
     GROUP BY other.page_id HAVING winnerId < other.page_id ORDER BY other.path, other.page_id`,
    [siteId],
  )
}

function toPageRow(siteId: string, page: StoredPage): PageRow {
  return {
    siteId,
    id: page.page_id,
    path: page.path,
    treePath: page.tree_path,
    title: page.title,
    templateId: page.template_id,
    status: page.blob === null ? 'unpublished' : 'published',
    blob: page.blob,
    size: page.size,
    version: { commit: page.version_commit, number: page.version_number },
    etag: page.etag,
    createdAt: toTimestamp(page.created_at),
    updatedAt: toTimestamp(page.updated_at),
  }
}

function toVersionRow(version: StoredVersion): VersionRow {
  return {
    pageId: version.page_id,
    number: version.number,
    commit: version.commit_oid,
    action: version.action,
    author: version.author,
    message: version.message,
    path: version.path,
    blob: version.blob,
    size: version.size,
    createdAt: toTimestamp(version.created_at),
  }
}
