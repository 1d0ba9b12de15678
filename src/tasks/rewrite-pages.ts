// Rewrites the links of pages to what moves.

import { isUtf8 } from 'node:buffer'
import type { Oid } from '../git/objects/oid.js'
import { MAX_BLOB_BYTES } from '../model/bytes.js'
import type { Snapshot } from '../repository/reading/snapshot.js'
import { rewriteLinks } from '../texts/rewrite-links.js'

export interface PageToRewrite {
  blob: Oid
  /** The path of its URL, before and after. */
  at: string
  to: string
}

/** Returns the new html of each page; null if nothing changes, or the page is very long or not UTF-8. */
export function rewritePages(
  snapshot: Snapshot,
  pages: readonly PageToRewrite[],
  moved: readonly (readonly [place: string, url: string])[],
): (Uint8Array | null)[] {
  const places = new Map(moved)
  return pages.map(({ blob, at, to }) => {
    const bytes = snapshot.blobWithin(blob, MAX_BLOB_BYTES)
    const html =
      bytes !== undefined && isUtf8(bytes) ? rewriteLinks(bytes.toString(), { at, to, moved: places }) : undefined
    return html === undefined ? null : Buffer.from(html)
  })
}
