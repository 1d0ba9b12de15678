// Moves a page to another path, or shows the move in a dry run. It keeps its id, its versions and its title.

import type { PageData } from '../../../schemas/pages.js'
import { ServiceError } from '../../model/errors.js'
import { parsePagePath } from '../../model/paths/page-path.js'
import type { Operation } from '../../repository/protocol/write.js'
import type { Call, Changing, SiteCall } from '../context/call.js'
import { changeSite } from '../context/change-site.js'
import { conditionOf, type Conditions, type DryRunInput, type ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { showPage } from '../pages/dry-run.js'
import { type FoundPage, findPage, findPageIn, findPlace, pageNotFound } from '../pages/find-page.js'
import { pageAfter } from '../pages/page-as-of.js'
import { pathOf } from '../pages/page-data.js'
import { retitle } from '../merging/change-page.js'
import type { OnConflict } from '../merging/on-conflict.js'
import { explainStale } from '../pages/stale.js'
import { listLinkedFrom, rewriteLinksTo } from './linking-pages.js'

export interface PagePatch extends ResourceId, Conditions, DryRunInput, OnConflict {
  title?: string | null
  path?: string
  rewriteLinks?: boolean
  reason?: string
}

/** Handles PATCH: sets the title, moves the page, or both in one commit. Throws `invalid_body` for neither. */
export async function patchPage(call: Call<Changing>, { path, ...input }: PagePatch): Promise<Result<PageData>> {
  if (path !== undefined) return await movePage(call, { ...input, path })
  const { title, rewriteLinks, ...rest } = input
  if (title === undefined || rewriteLinks !== undefined)
    throw new ServiceError('invalid_body', 'Send "title", or "path" to move the page; "rewriteLinks" goes with "path".')
  return await retitle(call, { ...rest, title })
}

/** Throws `page_exists` if another page is at the path, and `path_conflict`. */
async function movePage(asked: Call<Changing>, input: PagePatch & { path: string }): Promise<Result<PageData>> {
  const path = parsePagePath(input.path)
  const first = await findPage(asked, input.id)
  const call = { ...asked, site: first.site }
  const moving = { pages: [{ page: first, path }], files: [] }
  return await changeSite(call, {
    input,
    plan: async () => ({ operation: await toMove(call, input), reason: input.reason }),
    answer: (written) => pageAfter(call, written),
    show: async (draft) => {
      const { data, ...result } = await showPage(call, draft)
      const dryRun = data.dryRun && { ...data.dryRun, linkedFrom: await listLinkedFrom(call, moving) }
      return { ...result, data: { ...data, ...(dryRun && { dryRun }) } }
    },
    explain: (error) => explainStale(call, first, input, error),
  })
}

async function toMove(call: SiteCall<Changing>, input: PagePatch & { path: string }): Promise<Operation> {
  const path = parsePagePath(input.path)
  const page = await findPageIn(call, input.id.toLowerCase())
  if (page === undefined) throw pageNotFound()
  const { sidecar } = await findPlace(call, path)
  const { title } = input
  const links = await linksOf(call, page, input)
  const rewritten = links?.moved.get(page.row.id)
  return {
    kind: 'move-page',
    page: page.known,
    path,
    sidecar,
    ...(title !== undefined && { title }),
    ...(rewritten && { rewritten }),
    ...(links && { rewrites: links.rewrites }),
    ...conditionOf(input),
  }
}

async function linksOf(call: SiteCall<Changing>, page: FoundPage, input: PagePatch & { path: string }) {
  const path = parsePagePath(input.path)
  if (input.rewriteLinks !== true || page.row.blob === null || path === pathOf(page.row)) return undefined
  return await rewriteLinksTo(call, { pages: [{ page, path }], files: [] })
}
