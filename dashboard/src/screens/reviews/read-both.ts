// Reads a page as it is and as a change request makes it, and who wrote it last there.

import { type ChangeRequest, type Site, siteApi, sliceOf, type Version } from '../../api/client.js'
import { readPage } from '../page/read-page.js'
import type { ChangedPage } from './changed-pages.js'

/** Null where there is no page. */
export interface Both {
  before: string | null
  after: string | null
}

/** Takes the texts that came with the list of changes, or asks for them. */
export async function readBoth(
  site: Site,
  { id }: ChangeRequest,
  { page, change, html }: ChangedPage,
  signal: AbortSignal,
): Promise<Both> {
  if (html !== undefined) return html
  const htmlOf = async (request?: string) => (await readPage(site, page.id, signal, request)).html ?? null
  const [before, after] = await Promise.all([
    change === 'added' ? null : htmlOf().catch(() => null),
    change === 'removed' ? null : htmlOf(id),
  ])
  return { before, after }
}

/** Returns the newest version; null if it cannot be had. */
export async function readLast(
  site: Site,
  { id }: ChangeRequest,
  pageId: string,
  signal: AbortSignal,
): Promise<Version | null> {
  const params = { path: { id: pageId }, query: { limit: 1, changeRequest: id } }
  const newest = siteApi(site)
    .GET('/pages/{id}/versions', { params, signal })
    .then(sliceOf<Version>)
  return await newest.then(
    ({ entries }) => entries[0] ?? null,
    () => null,
  )
}
