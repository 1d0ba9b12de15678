// Questions about pages. A page that is gone is never an answer. Indexes are named where SQLite, which has no statistics
// here, would read all pages of a site.

import { toTimestamp } from '../../model/clock.js'
import { type PagePath, treePathOf } from '../../model/paths/page-path.js'
import { conditionAfter, isText, type Order, orderBy, rowsToAsk, toListing } from '../tables/cursor.js'
import { SIDECARS_BY_TREE_PATH } from './occupant.js'
import { findStoredPage, PAGE_COLUMNS, type StoredPage } from './page-table.js'
import type { InertSidecar, LastChange, Listing, PageQuery, PageRow, StoredPath } from '../tables/rows.js'
import { type Condition, foldText, joinConditions, type RowReader } from '../tables/sql.js'

/** Order by path alone: a path has at most one page that is not gone. */
const BY_PATH: Order = { name: 'pages', columns: [{ column: 'path', descending: false, holds: isText }] }

export class PageQueries {
  readonly #rows: RowReader
  readonly #siteId: string

  constructor(rows: RowReader, siteId: string) {
    this.#rows = rows
    this.#siteId = siteId
  }

  /** Finds the page, published or not. */
  find(pageId: string): PageRow | undefined {
    const page = findStoredPage(this.#rows, pageId)
    return page === undefined || page.status === 'gone' ? undefined : toPageRow(this.#siteId, page)
  }

  /** Lists the ids of the pages that changed after a position, including pages that are gone. */
  idsSince(position: number): string[] {
    const query = 'SELECT page_id FROM pages INDEXED BY pages_by_change WHERE changed > ?'
    return this.#rows.all<{ page_id: string }>(query, [position]).map(({ page_id }) => page_id)
  }

  /** Finds the page at `path`, published or not. */
  findByPath(path: string): PageRow | undefined {
    const page = this.#rows.first<StoredPage>(
      `SELECT ${PAGE_COLUMNS} FROM pages INDEXED BY pages_by_path WHERE path = ? AND status <> 'gone'`,
      [path],
    )
    return page && toPageRow(this.#siteId, page)
  }

  /** Lists pages by path. Throws `invalid_cursor`. */
  list(query: PageQuery): Listing<PageRow> {
    const where = joinConditions([...pageConditions(query), conditionAfter(BY_PATH, query.cursor)], 'AND')
    const pages = this.#rows.all<StoredPage>(
      `SELECT ${PAGE_COLUMNS} FROM pages ${query.id === undefined ? alongIndex(query) : ''}
       WHERE ${where.text} ORDER BY ${orderBy(BY_PATH)} LIMIT ?`,
      [...where.values, rowsToAsk(query.limit)],
    )
    return toListing(
      BY_PATH,
      query.limit,
      pages,
      (page) => [page.path],
      (page) => toPageRow(this.#siteId, page),
    )
  }

  /** Counts the published pages. */
  count(): number {
    const query = "SELECT count(*) AS count FROM pages INDEXED BY pages_by_status WHERE status = 'published'"
    return this.#rows.first<{ count: number }>(query, [])?.count ?? 0
  }

  /** Finds the lowest id among the sidecars that name a page's path. */
  findSidecar(path: PagePath): string | undefined {
    const query = `SELECT page_id FROM ${SIDECARS_BY_TREE_PATH} WHERE tree_path = ? AND path = ?
      ORDER BY page_id LIMIT 1`
    return this.#rows.first<{ page_id: string }>(query, [treePathOf(path), path])?.page_id
  }

  /** Does the same for many pages, by path; null if no sidecar names one. */
  findSidecars(paths: readonly PagePath[]): Record<PagePath, string | null> {
    const rows = this.#rows.all<{ path: PagePath; page_id: string | null }>(
      `SELECT asked.value ->> 0 AS path, (
         SELECT page_id FROM ${SIDECARS_BY_TREE_PATH}
         WHERE tree_path = asked.value ->> 1 AND path = asked.value ->> 0 ORDER BY page_id LIMIT 1
       ) AS page_id
       FROM json_each(?) AS asked`,
      [JSON.stringify(paths.map((path) => [path, treePathOf(path)]))],
    )
    return Object.fromEntries(rows.map(({ path, page_id: pageId }) => [path, pageId]))
  }

  /** Finds the unpublished pages at these paths. */
  findUnpublished(paths: readonly PagePath[]): Record<PagePath, string> {
    const rows = this.#rows.all<{ path: PagePath; page_id: string }>(
      `SELECT pages.path AS path, page_id FROM json_each(?)
       CROSS JOIN pages INDEXED BY pages_by_status ON pages.status = 'unpublished' AND pages.path = value`,
      [JSON.stringify(paths)],
    )
    return Object.fromEntries(rows.map(({ path, page_id: pageId }) => [path, pageId]))
  }

  /** Returns for each of these paths with a published page its title, what its head says to robots, and when its html last changed. */
  lastChanges(paths: readonly PagePath[]): LastChange[] {
    return this.#rows.all<LastChange>(
      `SELECT pages.path AS path, versions.created_at AS time, pages.title AS title,
         pages.robots AS robots, pages.canonical AS canonical
       FROM json_each(?)
       CROSS JOIN pages INDEXED BY pages_by_path
         ON pages.path = value AND pages.status = 'published'
       JOIN versions ON versions.page_id = pages.page_id
         AND versions.number = pages.version_number`,
      [JSON.stringify(paths)],
    )
  }

  /** Lists published pages whose file's path begins with `prefix` and comes after `after`, ordered by that path. */
  listStoredBelow(prefix: string, after: string, limit: number): StoredPath[] {
    return this.#rows.all<StoredPath>(
      `SELECT path, tree_path AS treePath FROM pages INDEXED BY pages_by_tree_path
       WHERE tree_path > max(?, ?) AND tree_path < ? || CAST(x'FF' AS TEXT) AND status = 'published'
       ORDER BY tree_path LIMIT ?`,
      [prefix, after, prefix, limit],
    )
  }

  /** Lists sidecars whose path belongs to a sidecar with a lower id. */
  inertSidecars(): InertSidecar[] {
    return this.#rows.all<InertSidecar>(
      `SELECT other.page_id AS pageId, other.path AS path, min(winner.page_id) AS winnerId
       FROM sidecars AS other
       JOIN sidecars AS winner ON winner.tree_path = other.tree_path
       GROUP BY other.page_id HAVING winnerId < other.page_id ORDER BY other.path, other.page_id`,
      [],
    )
  }
}

/** Names the index for a list. A single page is found by its key. */
function alongIndex({ status }: PageQuery): string {
  return `INDEXED BY ${status === 'all' ? 'pages_by_path' : 'pages_by_status'}`
}

function pageConditions({ status = 'published', id, path, prefix, q }: PageQuery): Condition[] {
  const conditions: Condition[] = []
  if (status === 'all') conditions.push({ text: "status <> 'gone'", values: [] })
  else conditions.push({ text: 'status = ?', values: [status] })
  if (id !== undefined) conditions.push({ text: 'page_id = ?', values: [id] })
  if (path !== undefined) conditions.push({ text: 'path = ?', values: [path] })
  // No text has a byte above the last one (0xFF), so the index alone finds all that begins with the prefix.
  if (prefix !== undefined) {
    conditions.push({ text: "path >= ? AND path < ? || CAST(x'FF' AS TEXT)", values: [prefix, prefix] })
  }
  if (q !== undefined && q !== '') {
    const part = foldText(q)
    conditions.push({ text: 'instr(folded_path, ?) > 0 OR instr(folded_title, ?) > 0', values: [part, part] })
  }
  return conditions
}

function toPageRow(siteId: string, page: StoredPage): PageRow {
  return {
    siteId,
    id: page.page_id,
    path: page.path,
    treePath: page.tree_path,
    title: page.title,
    titleIsSet: page.title_is_set === 1,
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
