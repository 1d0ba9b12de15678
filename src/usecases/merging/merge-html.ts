// Merges what a client made from an earlier version of a page with the newest version.

import { isUtf8 } from 'node:buffer'
import { MAX_MERGED_VERSIONS, type MergedWith } from '../../../schemas/merging.js'
import type { Call, Reading } from '../context/call.js'
import type { Services } from '../context/services.js'
import type { FoundPage } from '../pages/find-page.js'
import { pageOfTag, staleError } from '../pages/stale.js'
import { toHtmlBytes } from '../templates/page-html.js'
import { mergeBytes } from './merge-bytes.js'
import { overlapping } from './on-conflict.js'

interface Sent {
  /** Makes the client's html: from the blob of the version from which it began, which is null for an unpublished page. */
  makeHtml: (blob: string | null) => Uint8Array | Promise<Uint8Array>
  /** The entity tag of that version. */
  ifMatch: readonly string[]
}

/** `mergedWith`: the versions since the client's, newest first; undefined if there was nothing to merge. */
export interface MergedHtml {
  html: Uint8Array
  mergedWith?: MergedWith
}

/**
 * Returns the html to publish over the newest version. Throws `merge_conflict` with both texts if changes overlap, and
 * `precondition_failed` if the entity tag names no version of the page.
 */
export async function mergeHtml(
  asked: Call<Reading | 'limits' | 'tasks'>,
  page: FoundPage,
  { makeHtml, ifMatch }: Sent,
): Promise<MergedHtml> {
  const { site, row } = page
  const call = { ...asked, site }
  // The writer refuses an unpublished page.
  if (row.blob === null || ifMatch.includes(row.etag)) return { html: await makeHtml(row.blob) }
  const base = pageOfTag(call, row, ifMatch)
  if (base === undefined) throw await staleError(call, row, ifMatch)
  const sent = await makeHtml(base.blob)
  // Only the title has changed since.
  if (base.blob === row.blob) return { html: sent }
  const mergedWith = await versionsSince(call, page, base)
  const sides = { base: base.blob, ours: { blob: row.blob, size: row.size }, theirs: sent }
  const merged = await mergeBytes(call, { ...sides, isHtml: true })
  // A push may bring a page in another encoding, which does not mix with UTF-8.
  if (merged.bytes === undefined || !isUtf8(merged.bytes))
    throw pageOverlap(page, merged.bytes === undefined ? merged.conflict : undefined, mergedWith)
  return { html: toHtmlBytes(call, merged.bytes), mergedWith }
}

/** Lists the versions of a page after a position of its site's history, newest first. */
export async function versionsSince(
  { indexFollower }: Pick<Services, 'indexFollower'>,
  { site, row }: FoundPage,
  { position }: { position: number },
): Promise<MergedWith> {
  return await indexFollower.read(site, ({ versions, commits }) => {
    const { rows } = versions.list(row.id, { limit: MAX_MERGED_VERSIONS })
    const isNewer = (commit: string) => (commits.positionOf(commit) ?? 0) > position
    return rows
      .filter(({ commit }) => isNewer(commit))
      .map(({ commit: id, number, author, createdAt }) => ({ id, number, author, createdAt }))
  })
}

export function pageOverlap({ row }: FoundPage, hunks: string | undefined, since: MergedWith): Error {
  const version = { id: row.version.commit, number: row.version.number }
  return overlapping({ noun: 'page', path: row.path, etag: row.etag, version, hunks, since })
}
