// Reads the links of the documents of a site: pages, style sheets and drawings.

import { MAX_BLOB_BYTES } from '../../model/bytes.js'
import { isFilePath, urlPathOfFile } from '../../model/paths/file-path.js'
import { pagePathOf, urlPathOf } from '../../model/paths/page-path.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import { type Links, linksOf, linksOfCss } from '../../texts/links-of.js'
import { soundBytes } from './sound-bytes.js'

const STYLE_OR_DRAWING = /\.(?:css|svg)$/i

/** Whether the file has links, but is no page. No index knows them. */
export function isLinkingFile(treePath: string): boolean {
  return STYLE_OR_DRAWING.test(treePath) && isFilePath(treePath)
}

/**
 * Returns the path of a document and its links. Undefined if the file is no document; its links are undefined if it is too long, or
 * damaged.
 */
export function readLinks(
  snapshot: Snapshot,
  treePath: string,
  oid: string,
): { path: string; links: Links | undefined } | undefined {
  const page = pagePathOf(treePath)
  const path = page ?? (isLinkingFile(treePath) ? `/${treePath}` : undefined)
  const url = page === undefined ? urlPathOfFile(treePath) : urlPathOf(page)
  if (path === undefined || url === undefined) return undefined
  const bytes = soundBytes(snapshot, oid, MAX_BLOB_BYTES)
  return { path, links: bytes && (/\.css$/i.test(treePath) ? linksOfCss : linksOf)(bytes, url) }
}
