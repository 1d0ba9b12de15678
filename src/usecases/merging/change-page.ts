// Handles changes of a page that may be merged with what was published since: its html, edits of it, its title. Without `onConflict`, a
// stale one is refused.

import type { MergedWith } from '../../../schemas/merging.js'
import type { PageData } from '../../../schemas/pages.js'
import { parsePagePath } from '../../model/paths/page-path.js'
import type { Change } from '../../repository/protocol/write.js'
import type { Call, Changing } from '../context/call.js'
import { changeSite } from '../context/change-site.js'
import type { Conditions, DryRunInput, ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { siteOf } from '../context/target.js'
import { showPage } from '../pages/dry-run.js'
import { editContent as editNewest, type EditContentInput, editedVersion } from '../pages/edit-content.js'
import { findPage, findPageAt, type FoundPage } from '../pages/find-page.js'
import { pageAfter } from '../pages/page-as-of.js'
import { asCreated } from '../pages/page-data.js'
import { putPage as putNewest, replacePage, retitlePage, withWarning } from '../pages/pages.js'
import { type PublishInput, toPublishOperation } from '../pages/publish.js'
import { toHtmlBytes } from '../templates/page-html.js'
import { mergeHtml } from './merge-html.js'
import { mergeTitle } from './merge-title.js'
import { baseTags, isOvertaken, type OnConflict, withMerged } from './on-conflict.js'

type PageInput = ResourceId & Conditions & DryRunInput & { reason?: string }

interface Merged {
  operation: Change
  mergedWith?: MergedWith | undefined
}

/** Handles PUT. Throws `page_unpublished`, `precondition_failed`; with `onConflict` also `precondition_required` and `merge_conflict`. */
export async function replaceContent(
  call: Call<Changing>,
  { onConflict, ...input }: PageInput & OnConflict & { html: string | Uint8Array },
): Promise<Result<PageData>> {
  if (onConflict === undefined) return await replacePage(call, input)
  const sent = toHtmlBytes(call, input.html)
  return await changeMerged(call, input, async (page, ifMatch) => {
    const { html, mergedWith } = await mergeHtml(call, page, { makeHtml: () => sent, ifMatch })
    return { operation: { kind: 'replace-page', page: page.known, html, ifMatch: [page.row.etag] }, mergedWith }
  })
}

/** Handles PATCH of the content: makes the edits in the version that the client read. Throws as `replaceContent`, and as edits do. */
export async function editContent(
  call: Call<Changing>,
  { onConflict, ...input }: EditContentInput & OnConflict,
): Promise<Result<PageData>> {
  if (onConflict === undefined) return await editNewest(call, input)
  return await changeMerged(call, input, async (page, ifMatch) => {
    const makeHtml = (blob: string | null) => editedVersion({ ...call, site: page.site }, blob, input.edits)
    const { html, mergedWith } = await mergeHtml(call, page, { makeHtml, ifMatch })
    return { operation: { kind: 'replace-page', page: page.known, html, ifMatch: [page.row.etag] }, mergedWith }
  })
}

/** Handles PATCH of the title. Throws as `replaceContent`. */
export async function retitle(
  call: Call<Changing>,
  { onConflict, ...input }: PageInput & OnConflict & { title: string | null },
): Promise<Result<PageData>> {
  if (onConflict === undefined) return await retitlePage(call, input)
  const { title } = input
  return await changeMerged(call, input, async (page, ifMatch) => {
    const mergedWith = await mergeTitle(call, page, { title, ifMatch })
    return { operation: { kind: 'retitle-page', page: page.known, title, ifMatch: [page.row.etag] }, mergedWith }
  })
}

/** Handles PUT by path. Throws as `replaceContent`; a path without a page is refused as stale. */
export async function putPage(
  asked: Call<Changing | 'newId'>,
  { onConflict, ...input }: PublishInput & OnConflict,
): Promise<Result<PageData>> {
  if (onConflict === undefined) return await putNewest(asked, input)
  const tags = baseTags(input)
  const call = { ...asked, site: siteOf(asked, input.siteId) }
  const path = parsePagePath(input.path)
  const sent = toHtmlBytes(call, input.html ?? '')
  const result = await changeSite(call, {
    input,
    plan: async () => {
      const page = await findPageAt(call, path)
      // The writer refuses a path without a page.
      if (page === undefined) return { operation: await toPublishOperation(call, input, true) }
      const { html, mergedWith } = await mergeHtml(call, page, { makeHtml: () => sent, ifMatch: tags })
      const merged = { ...input, html, ifMatch: [page.row.etag] }
      return { operation: await toPublishOperation(call, merged, true), mergedWith }
    },
    answer: async (written, { mergedWith }) => {
      const published = withMerged(await pageAfter(call, written), mergedWith)
      return written.created ? asCreated(published) : published
    },
    show: async (draft, { mergedWith }) => withMerged(await showPage(call, draft), mergedWith),
    isOvertaken,
  })
  return withWarning(input, result)
}

/** Changes a page by what `merge` makes of its newest version; again if somebody publishes meanwhile. */
async function changeMerged(
  asked: Call<Changing>,
  input: PageInput,
  merge: (page: FoundPage, ifMatch: readonly string[]) => Promise<Merged>,
): Promise<Result<PageData>> {
  const ifMatch = baseTags(input)
  const { site } = await findPage(asked, input.id)
  const call = { ...asked, site, target: { ...asked.target, site } }
  return await changeSite(call, {
    input,
    plan: async () => ({ ...(await merge(await findPage(call, input.id), ifMatch)), reason: input.reason }),
    answer: async (written, { mergedWith }) => withMerged(await pageAfter(call, written), mergedWith),
    show: async (draft, { mergedWith }) => withMerged(await showPage(call, draft), mergedWith),
    isOvertaken,
  })
}
