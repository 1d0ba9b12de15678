// The title of a page without a sidecar: its document's.

import { foldText, type Sql, storable } from '../tables/sql.js'

/** What the index needs of the blobs: the `<title>` of a document, null without one or without the blob. */
export interface BlobReader {
  title(blobOid: string): string | null
}

/** Must run in a transaction. Does nothing to a page that has a sidecar, or no html. */
export function takeTitle(sql: Sql, siteId: string, pageId: string, read: BlobReader): void {
  const page = sql.first<{ blob: string }>(
    'SELECT blob FROM pages WHERE site_id = ? AND page_id = ? AND has_sidecar = 0 AND blob IS NOT NULL',
    [siteId, pageId],
  )
  if (page === undefined) return
  const title = read.title(page.blob)
  sql.run('UPDATE pages SET title = ?, folded_title = ? WHERE site_id = ? AND page_id = ?', [
    title === null ? null : storable(title),
    foldText(title ?? ''),
    siteId,
    pageId,
  ])
}
