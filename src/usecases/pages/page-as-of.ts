// A page as one commit left it, independent of later changes. It answers a write that others overtook, and a repeated request.

import type { PageData } from '../../../schemas/pages.js'
import type { PageRow, VersionRow } from '../../index/tables/rows.js'
import { parsePagePath, treePathOf } from '../../model/paths/page-path.js'
import { isFile } from '../../repository/format/file-mode.js'
import { MAX_SIDECAR_BYTES, parseSidecar, sidecarPathOf } from '../../repository/format/site-format.js'
import type { Written } from '../../repository/protocol/written.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import { pageNotFound } from './find-page.js'
import { toPageResult } from './page-data.js'
import type { AtSite, Reading } from '../context/call.js'
import type { Result } from '../context/result.js'

/** Answers a write that made, changed or unpublished a page. */
export async function pageAfter(
  call: AtSite<Reading | 'baseUrl' | 'siteDomain'>,
  written: Written,
): Promise<Result<PageData>> {
  if (written.page !== undefined) return toPageResult(call, written.page)
  const now = await call.indexFollower.read(call.site, (index) => index.pages.find(written.id))
  if (written.changed && now?.etag !== written.commit) return await pageAsOf(call, written.id, written.commit)
  if (now === undefined) throw pageNotFound()
  const result = toPageResult(call, now)
  return written.changed ? result : { ...result, data: { ...result.data, changed: false } }
}

/** Returns the page as `commit`, which changed it, left it. Throws `page_not_found` when the history no longer has the commit. */
export async function pageAsOf(
  call: AtSite<Reading | 'baseUrl' | 'siteDomain'>,
  pageId: string,
  commit: string,
): Promise<Result<PageData>> {
  const { site } = call
  const { row, version, previous, first } = await call.indexFollower.read(site, (index) => {
    const found = index.versions.find(pageId, commit)
    return {
      row: index.pages.find(pageId),
      version: found,
      previous: found && index.versions.find(pageId, found.number - 1),
      first: index.versions.find(pageId, 1),
    }
  })
  // A new title alone makes no version: if it is overtaken, the answer has the page as it is now.
  if (version === undefined || row?.etag === commit) {
    if (row === undefined) throw pageNotFound()
    return toPageResult(call, row)
  }
  const snapshot = call.store.reader.snapshot(site).commitAt(commit)
  if (snapshot === undefined) throw pageNotFound()
  const removed = version.blob === null ? (previous?.blob ?? null) : null
  const title = removed === null ? null : snapshot.title(removed)
  const known = { title, titleIsSet: row?.titleIsSet ?? true }
  const stored = readStoredPage(snapshot, pageId, known) ?? pageWithoutSidecar(snapshot, version)
  return toPageResult(call, {
    ...stored,
    siteId: site.id,
    id: pageId,
    version: { commit, number: version.number },
    etag: commit,
    createdAt: first?.createdAt ?? version.createdAt,
    updatedAt: version.createdAt,
  })
}

/** Returns a page without sidecar: a pushed page has none until the API changes more than its html. */
export function pageWithoutSidecar(
  snapshot: Snapshot,
  { path, blob, size }: Pick<VersionRow, 'path' | 'blob' | 'size'>,
): StoredPage {
  const title = blob === null ? null : snapshot.title(blob)
  const status = blob === null ? 'unpublished' : 'published'
  const treePath = treePathOf(parsePagePath(path))
  return { path, treePath, title, titleIsSet: false, templateId: null, status, blob, size }
}

export type StoredPage = Omit<PageRow, 'siteId' | 'id' | 'version' | 'etag' | 'createdAt' | 'updatedAt'>

/**
 * Returns the page with this sidecar in the tree of a commit. `known` has facts that the tree lacks: whether a title without a mark is set,
 * and the title of a page without html.
 */
export function readStoredPage(
  snapshot: Snapshot,
  pageId: string,
  known: Pick<PageRow, 'title' | 'titleIsSet'>,
): StoredPage | undefined {
  const description = readDescription(snapshot, pageId, known)
  if (description === undefined) return undefined
  const { setTitle, ...place } = description
  const html = snapshot.entry(place.treePath)
  const blob = html !== undefined && isFile(html.mode) ? html.oid : null
  const size = blob === null ? 0 : snapshot.size(blob)
  const documentTitle = () => (blob === null ? known.title : snapshot.title(blob))
  const title = setTitle ?? documentTitle()
  const status = blob === null ? 'unpublished' : 'published'
  return { ...place, title, titleIsSet: setTitle !== null, status, blob, size }
}

/** A page without its html. `setTitle` is the title that a client set; null without one. */
export interface PageDescription extends Pick<PageRow, 'path' | 'treePath' | 'templateId'> {
  setTitle: string | null
}

/** Does the same as `readStoredPage` without reading the html, which the disk may have damaged. */
export function readDescription(
  snapshot: Snapshot,
  pageId: string,
  known: Pick<PageRow, 'titleIsSet'>,
): PageDescription | undefined {
  const entry = snapshot.entry(sidecarPathOf(pageId))
  if (entry === undefined || !isFile(entry.mode)) return undefined
  const bytes = snapshot.blobWithin(entry.oid, MAX_SIDECAR_BYTES)
  const sidecar = bytes && parseSidecar(bytes)
  if (sidecar === undefined) return undefined
  const { path, templateId } = sidecar
  const setTitle = sidecar.isTitleMarked || known.titleIsSet ? sidecar.title : null
  return { path, treePath: treePathOf(path), templateId, setTitle }
}
