// The columns that a page's row takes from its document: what it tells search engines, and the title unless a client set one.

import { type DocumentHead, NO_HEAD } from '../../model/commits/facts.js'
import { sortKeyOf } from '../tables/sort-key.js'
import { foldText, type Sql, storable } from '../tables/sql.js'
import type { Occupant } from './occupant.js'
import type { StoredPage } from './page-table.js'

/** Reads from blobs for the index: the head of a document, NO_HEAD without the blob. */
export interface BlobReader {
  readHead(blobOid: string): DocumentHead
  /** Returns the head if no read is needed for it; undefined if it is not in memory. */
  knownHead?(blobOid: string): DocumentHead | undefined
}

/**
 * Returns the title that a client set, or null, after a commit that wrote the page's sidecar. A title without a mark is not set
 * if the document at that commit has it too. `oldBlob` is the document that the commit replaced or removed.
 */
export function settleSidecarTitle(
  sql: Sql,
  { pageId, sidecar, file }: Occupant,
  oldBlob: string | null,
  read: BlobReader,
): string | null {
  const title = sidecar?.title ?? null
  const blob = file?.blob ?? oldBlob
  if (title === null || blob === null || sidecar?.is_title_marked === 1) return title
  const own = read.readHead(blob).title
  if (own === null || storable(own) !== title) return title
  sql.run('UPDATE sidecars SET title = NULL WHERE page_id = ?', [pageId])
  return null
}

/** Gives a page what its document says. Must run in a transaction. */
export function takeHead(sql: Sql, pageId: string, read: BlobReader): void {
  const page = sql.first<Pick<StoredPage, 'title' | 'title_is_set' | 'head_blob'>>(
    'SELECT title, title_is_set, head_blob FROM pages WHERE page_id = ?',
    [pageId],
  )
  if (page === undefined) return
  const columns = headColumns(page, page.head_blob === null ? NO_HEAD : read.readHead(page.head_blob))
  const set = Object.keys(columns).map((column) => `${column} = ?`)
  sql.run(`UPDATE pages SET ${set.join(', ')} WHERE page_id = ?`, [...Object.values(columns), pageId])
}

/** Returns the columns for the head of the page's document. A title that a client set stays. */
export function headColumns(page: Pick<StoredPage, 'title' | 'title_is_set'>, head: DocumentHead) {
  const { robots, canonical } = head
  const title = page.title_is_set === 1 ? page.title : head.title
  return { ...titleColumns(title), robots, canonical: canonical === null ? null : storable(canonical) }
}

/** Returns the columns for a title. */
export function titleColumns(title: string | null): Pick<StoredPage, 'title' | 'folded_title' | 'title_key'> {
  if (title === null) return { title, folded_title: '', title_key: '' }
  return { title: storable(title), folded_title: foldText(title), title_key: sortKeyOf(title) }
}
