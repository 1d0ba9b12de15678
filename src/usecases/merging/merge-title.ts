// Merges a title that a client sets on an earlier version of a page: it may be set if nobody else has set one since.

import type { MergedWith } from '../../../schemas/merging.js'
import type { Call, Reading } from '../context/call.js'
import type { FoundPage } from '../pages/find-page.js'
import { pageOfTag, staleError } from '../pages/stale.js'
import { pageOverlap, versionsSince } from './merge-html.js'

/** Returns the versions since. Throws `merge_conflict`, and `precondition_failed` if the entity tag names no version of the page. */
export async function mergeTitle(
  asked: Call<Reading | 'tasks'>,
  page: FoundPage,
  { title, ifMatch }: { title: string | null; ifMatch: readonly string[] },
): Promise<MergedWith | undefined> {
  const { row } = page
  const call = { ...asked, site: page.site }
  // The writer refuses an unpublished page.
  if (row.blob === null || ifMatch.includes(row.etag)) return undefined
  const base = pageOfTag(call, row, ifMatch)
  if (base === undefined) throw await staleError(call, row, ifMatch)
  const mergedWith = await versionsSince(call, page, base)
  const now = row.titleIsSet ? row.title : null
  if (now === base.setTitle || now === title) return mergedWith
  const hunks = now === null ? 'The title was removed since.' : `The title was set to ${JSON.stringify(now)} since.`
  throw pageOverlap(page, hunks, mergedWith)
}
