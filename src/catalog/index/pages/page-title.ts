// The title of a page: the one that a client set, else its document's.

import { foldText, type Sql, storable } from '../tables/sql.js'
import type { Occupant } from './occupant.js'

/** Reads from blobs for the index: the `<title>` of a document, null without one or without the blob. */
export interface BlobReader {
  title(blobOid: string): string | null
  /** Returns the title if no read is needed for it; undefined if it is not in memory. */
  knownTitle?(blobOid: string): string | null | undefined
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
  if (titleOf(blob, read) !== title) return title
  sql.run('UPDATE sidecars SET title = NULL WHERE page_id = ?', [pageId])
  return null
}

/** Gives a page its document's title. Must run in a transaction. Does nothing to a page whose title is set. */
export function takeTitle(sql: Sql, pageId: string, read: BlobReader): void {
  const page = sql.first<{ title_blob: string | null }>(
    'SELECT title_blob FROM pages WHERE page_id = ? AND title_is_set = 0',
    [pageId],
  )
  if (page === undefined) return
  const title = page.title_blob === null ? null : titleOf(page.title_blob, read)
  sql.run('UPDATE pages SET title = ?, folded_title = ? WHERE page_id = ?', [title, foldText(title ?? ''), pageId])
}

/** Returns the columns for a document's title. */
export function titleColumns(title: string | null): { title: string | null; folded_title: string } {
  return { title: title === null ? null : storable(title), folded_title: foldText(title ?? '') }
}

function titleOf(blob: string, read: BlobReader): string | null {
  const title = read.title(blob)
  return title === null ? null : storable(title)
}
