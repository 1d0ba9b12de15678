// Pages: publish, read, replace, retitle, unpublish.

import type { PageData } from '../../../schemas/pages.js'
import type { ContentQuery } from '../../../schemas/content.js'
import type { PageQuery } from '../../index/tables/rows.js'
import { ServiceError } from '../../model/errors.js'
import { parsePagePath } from '../../model/paths/page-path.js'
import { changePage } from './change-page.js'
import { findPage, pageNotFound } from './find-page.js'
import {
  conditionOf,
  type Conditions,
  DEFAULT_LIMIT,
  type DryRunInput,
  type ResourceId,
  type SliceInput,
} from '../context/input.js'
import type { Performed } from '../context/idempotency.js'
import { rememberedBySite } from '../context/remembered-by-site.js'
import { warnOfFileName } from './named-as-file.js'
import { pageAsOf } from './page-as-of.js'
import { readForm } from './read-form.js'
import { asCreated, toPageData, toPageResult } from './page-data.js'
import { toHtmlBytes } from '../templates/page-html.js'
import { type PublishInput, publish } from './publish.js'
import { toPathPrefix } from './search-pages.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import type { RequestContext } from '../context/request-context.js'
import { siteOf } from '../context/target.js'

export interface ListPagesInput extends SliceInput {
  id?: string
  path?: string
  as?: NonNullable<ContentQuery['as']>
  prefix?: string
  q?: string
  status?: NonNullable<PageQuery['status']>
}

/** Lists the pages of one site, ordered by path; the published ones unless `status` says otherwise. */
export async function listPages(
  services: Services,
  context: RequestContext,
  input: ListPagesInput,
): Promise<Result<PageData[]>> {
  const site = siteOf(services, context)
  if (input.as !== undefined && input.path === undefined) {
    throw new ServiceError('invalid_query', 'Send "as" with "path" only: the content of one page is answered at once.')
  }
  const { id, path, as, prefix, q, status, cursor, limit = DEFAULT_LIMIT } = input
  const query: PageQuery = {
    id,
    ...(path !== undefined && { path: parsePagePath(path) }),
    ...(prefix !== undefined && { prefix: toPathPrefix(prefix) }),
    q,
    status,
    cursor,
    limit,
  }
  const { indexFollower, tasks } = services
  // A list without `q` is read along an index, up to its limit.
  const { rows, nextCursor } =
    q === undefined || q === ''
      ? await indexFollower.read(site, (index) => index.pages.list(query))
      : await indexFollower.ask(site, false, (from) =>
          tasks.run('listPages', { ...from, query }, { workspaceId: site.workspaceId }),
        )
  const pages = rows.map((row) => toPageData(services, site, row))
  const [page] = pages
  const blob = rows[0]?.blob
  if (as === undefined || page === undefined || blob == null) return { data: pages, nextCursor }
  const { fields, long } = await readForm(services, site, blob, { as })
  return { data: [{ ...page, ...fields }], nextCursor, ...(long && { long }) }
}

/** Handles POST. An unpublished page at this path is published again with its id. Throws `page_exists` for a taken path. */
export async function createPage(
  services: Services,
  context: RequestContext,
  input: PublishInput,
): Promise<Result<PageData>> {
  const site = siteOf(services, context, input.siteId)
  if (input.dryRun === true)
    return withWarning(input, await publish(services, context, site, input, { replace: false }))
  const replay = async (facts: { oid: string; trailers: Readonly<Record<string, string>> }) =>
    asCreated(await pageAsOf(services, site, facts.trailers['Page-Id'] ?? '', facts.oid))
  const result = await services.idempotency.once(
    context,
    { input, ...rememberedBySite(services, site, replay) },
    (idempotency) => publish(services, context, site, input, { replace: false, idempotency }),
  )
  return withWarning(input, { result })
}

function withWarning(
  { path, asPage }: PublishInput,
  { result }: Pick<Performed<PageData>, 'result'>,
): Result<PageData> {
  return { ...result, data: { ...result.data, ...warnOfFileName(path, asPage) } }
}

/** Handles PUT by path: creates or replaces. */
export async function putPage(
  services: Services,
  context: RequestContext,
  input: PublishInput,
): Promise<Result<PageData>> {
  const site = siteOf(services, context, input.siteId)
  const replace = input.ifNoneMatch === undefined
  return withWarning(input, await publish(services, context, site, input, { replace }))
}

/** Returns a published page with its content, in the requested form and part. */
export async function getPage(
  services: Services,
  context: RequestContext,
  input: ResourceId & ContentQuery,
): Promise<Result<PageData>> {
  const { site, row } = await findPage(services, context, input.id)
  if (row.blob === null) throw pageNotFound()
  const result = toPageResult(services, site, row)
  const { fields, long } = await readForm(services, site, row.blob, input)
  return { ...result, data: { ...result.data, ...fields }, ...(long && { long }) }
}

/** Handles PUT of the content. Throws `page_unpublished`. */
export async function replacePage(
  services: Services,
  context: RequestContext,
  input: ResourceId & Conditions & DryRunInput & { html: string | Uint8Array; reason?: string },
): Promise<Result<PageData>> {
  const html = toHtmlBytes(services, input.html)
  const page = await findPage(services, context, input.id)
  const operation = { kind: 'replace-page', page: page.known, html, ...conditionOf(input) } as const
  return await changePage(services, context, page, { operation, input, reason: input.reason })
}

/** Changes the title alone; null removes it. Throws `page_unpublished`. */
export async function retitlePage(
  services: Services,
  context: RequestContext,
  input: ResourceId & Conditions & DryRunInput & { title: string | null },
): Promise<Result<PageData>> {
  const page = await findPage(services, context, input.id)
  const operation = { kind: 'retitle-page', page: page.known, title: input.title, ...conditionOf(input) } as const
  return await changePage(services, context, page, { operation, input })
}

/** Handles DELETE: visitors no longer get the page; its versions stay, and a rollback publishes it again. */
export async function unpublishPage(
  services: Services,
  context: RequestContext,
  input: ResourceId & Conditions & DryRunInput,
): Promise<Result<PageData>> {
  const page = await findPage(services, context, input.id)
  const operation = { kind: 'unpublish-page', page: page.known, ...conditionOf(input) } as const
  return await changePage(services, context, page, { operation, input })
}
