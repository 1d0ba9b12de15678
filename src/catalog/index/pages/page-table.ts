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

/** Columns of indexes, which a new version of a page leaves as they are. */
const INDEXED = ['path', 'tree_path', 'status'] as const
/** `changed` has an index of its own, by which the text of pages follows. */
const VARYING = [
  'title',
  'title_is_set',
  'title_blob',
  'template_id',
  'blob',
  'size',
  'version_number',
  'version_commit',
  'etag',
  'created_at',
  'updated_at',
  'folded_path',
  'folded_title',
  'changed',
] as const
const COLUMNS = ['page_id', ...INDEXED, ...VARYING] as const

export const PAGE_COLUMNS = COLUMNS.join(', ')

const INSERT = `INSERT OR REPLACE INTO pages (${PAGE_COLUMNS}) VALUES (${COLUMNS.map(() => '?').join(', ')})`
const UPDATE = `UPDATE pages SET ${VARYING.map((column) => `${column} = ?`).join(', ')} WHERE page_id = ?`

export function findStoredPage(rows: RowReader, pageId: string): StoredPage | undefined {
  return rows.first(`SELECT ${PAGE_COLUMNS} FROM pages WHERE page_id = ?`, [pageId])
}

/** Stores a page; `before` is its row until now. To replace a row would write each index anew, though most stay as they are. */
export function storePage(sql: Sql, page: StoredPage, before: StoredPage | undefined): void {
  const isInPlace = before !== undefined && INDEXED.every((column) => before[column] === page[column])
  if (isInPlace) sql.run(UPDATE, [...VARYING.map((column) => page[column]), page.page_id])
  else
    sql.run(
      INSERT,
      COLUMNS.map((column) => page[column]),
    )
}
