// The stored row of a page, read and written as a whole.

import type { RowReader, Sql } from '../tables/sql.js'

export interface StoredPage {
  page_id: string
  path: string
  tree_path: string
  title: string | null
  /** 1 if a client set the title; 0 if it is that of the document `head_blob`. */
  title_is_set: 0 | 1
  /** The newest html, also while the page is unpublished. */
  head_blob: string | null
  /** Robots and canonical URL of that document, as `DocumentHead` has them. */
  robots: string | null
  canonical: string | null
  template_id: string | null
  /** `gone`: another page has taken its path. Hidden, but kept so that version numbers continue if it returns. */
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
  /** The title as lists sort it. */
  title_key: string
  /** Position of the commit that last changed the row. */
  changed: number
}

/** Columns of indexes. A new version of a page does not change them. */
const INDEXED = ['path', 'tree_path', 'status'] as const
/** All other columns. `changed` has an index of its own, which the text of pages follows. */
const VARYING = [
  'title',
  'title_is_set',
  'head_blob',
  'robots',
  'canonical',
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
  'title_key',
  'changed',
] as const
const COLUMNS = ['page_id', ...INDEXED, ...VARYING] as const

export const PAGE_COLUMNS = COLUMNS.join(', ')

const INSERT = `INSERT OR REPLACE INTO pages (${PAGE_COLUMNS}) VALUES (${COLUMNS.map(() => '?').join(', ')})`
const UPDATE = `UPDATE pages SET ${VARYING.map((column) => `${column} = ?`).join(', ')} WHERE page_id = ?`

export function findStoredPage(rows: RowReader, pageId: string): StoredPage | undefined {
  return rows.first(`SELECT ${PAGE_COLUMNS} FROM pages WHERE page_id = ?`, [pageId])
}

/** Stores a page; `before` is its row until now. Updates in place if possible: replacing a row would rewrite every index. */
export function storePage(sql: Sql, page: StoredPage, before: StoredPage | undefined): void {
  const isInPlace = before !== undefined && INDEXED.every((column) => before[column] === page[column])
  if (isInPlace) sql.run(UPDATE, [...VARYING.map((column) => page[column]), page.page_id])
  else
    sql.run(
      INSERT,
      COLUMNS.map((column) => page[column]),
    )
}
