// Merges html that a client made from an earlier version of a page with the newest version.

import { isUtf8 } from 'node:buffer'
import { MAX_MERGED_VERSIONS, type PageData } from '../../../schemas/pages.js'
import { ServiceError } from '../../model/errors.js'
import { MAX_DIFF_CHARACTERS } from '../../model/limits.js'
import type { RequestContext } from '../context/request-context.js'
import { quoteTag } from '../context/result.js'
import type { Services } from '../context/services.js'
import type { FoundPage } from '../pages/find-page.js'
import { blobOfTag, staleError, type TaggedBlob } from '../pages/stale.js'
import { toHtmlBytes } from '../templates/page-html.js'

type MergedWith = NonNullable<PageData['mergedWith']>

interface Sent {
  sent: Uint8Array
  /** The entity tag of the version from which the client began. */
  ifMatch: readonly string[]
}

/** `mergedWith`: the versions since the client's, newest first; undefined if there was nothing to merge. */
export interface MergedHtml {
  html: Uint8Array
  mergedWith?: MergedWith
}

/**
 * Returns the html to publish over the newest version. Throws `merge_conflict` with both texts if lines overlap, and
 * `precondition_failed` if the entity tag names no version of the page.
 */
export async function mergeHtml(
  services: Services,
  context: RequestContext,
  page: FoundPage,
  { sent, ifMatch }: Sent,
): Promise<MergedHtml> {
  const { site, row } = page
  // The writer refuses an unpublished page.
  if (row.blob === null || ifMatch.includes(row.etag)) return { html: sent }
  const base = blobOfTag(services, site, row, ifMatch)
  if (base === undefined) throw await staleError(services, site, row, ifMatch)
  // Only the title has changed since.
  if (base.blob === row.blob) return { html: sent }
  const mergedWith = await versionsSince(services, page, base)
  await context.hold(row.size)
  const source = services.store.sourceOf(site)
  const result = await services.tasks.run('mergeText', { source, base: base.blob, ours: row.blob, theirs: sent }, site)
  if ('conflict' in result) throw conflicting(page, result.conflict, mergedWith)
  // A push may bring a page in another encoding, which does not mix with UTF-8.
  if (!isUtf8(result.merged)) throw conflicting(page, undefined, mergedWith)
  await context.hold(result.merged.byteLength, 'made')
  return { html: toHtmlBytes(services, result.merged), mergedWith }
}

async function versionsSince(
  { indexFollower }: Services,
  { site, row }: FoundPage,
  base: TaggedBlob,
): Promise<MergedWith> {
  return await indexFollower.read(site, ({ versions, commits }) => {
    const { rows } = versions.list(row.id, { limit: MAX_MERGED_VERSIONS })
    const isNewer = (commit: string) => (commits.positionOf(commit) ?? 0) > base.position
    return rows
      .filter(({ commit }) => isNewer(commit))
      .map(({ commit: id, number, author, createdAt }) => ({ id, number, author, createdAt }))
  })
}

/** Makes a `merge_conflict`. Its conflicts have the form of those of a revert, with the whole text. */
function conflicting({ row }: FoundPage, marked: string | undefined, mergedWith: MergedWith): ServiceError {
  const hunks = marked !== undefined && marked.length <= MAX_DIFF_CHARACTERS ? marked : null
  return new ServiceError(
    'merge_conflict',
    'The page was changed since in the same places. Settle each of them, and send the html with the newest entity tag as If-Match.',
    {
      etag: quoteTag(row.etag),
      version: { id: row.version.commit, number: row.version.number },
      conflicts: [{ path: row.path, reason: 'changed', hunks }],
      since: mergedWith,
    },
  )
}
