// The stored row of a page: read and written whole.

import type { RowReader, Sql } from '../tables/sql.js'

export interface StoredPage {
  page_id: string
  path: string
  tree_path: string
  title: string | null
  /** Whether a client set the title; else it is that of the document `title_blob`. */
  title_is_set: 0 | 1
  /** The newest html, also while the page is unpublished. */
  title_blob: string | null
  template_id: string | null
  /** `gone`: neither html nor a sidecar that counts. Hidden, and kept so that versions go on counting if it returns. */
  status: 'published' | 'unpublished' | 'gone'
  blob: string | null
  size: number
  version_number: number
  version_commit: string
  etag: string
  created_at: number
  updated_at: number
  folded_path: string
  folded_title: string
  /** The position of the commit that changed the row last. */
  changed: number
}

export const PAGE_COLUMNS = `page_id, path, tree_path, title, title_is_set, title_blob, template_id, status, blob, size,
  version_number, version_commit, etag, created_at, updated_at, folded_path, folded_title, changed`

export function findStoredPage(rows: RowReader, siteId: string, pageId: string): StoredPage | undefined {
  return rows.first(`SELECT ${PAGE_COLUMNS} FROM pages WHERE site_id = ? AND page_id = ?`, [siteId, pageId])
}

export function storePage(sql: Sql, siteId: string, page: StoredPage): void {
  sql.run(
    `INSERT OR REPLACE INTO pages (site_id, ${PAGE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      siteId,
      page.page_id,
      page.path,
      page.tree_path,
      page.title,
      page.title_is_set,
      page.title_blob,
      page.template_id,
      page.status,
      page.blob,
      page.size,
      page.version_number,
      page.version_commit,
      page.etag,
      page.created_at,
      page.updated_at,
      page.folded_path,
      page.folded_title,
      page.changed,
    ],
  )
}
