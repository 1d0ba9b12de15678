// Pages: publish, read, replace, retitle.

import type { PageData } from '../../../schemas/pages.js'
import type { ContentQuery } from '../../../schemas/content.js'
import type { PageQuery } from '../../index/tables/rows.js'
import type { CommitFacts } from '../../model/commits/facts.js'
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
import type { Call, Changing } from '../context/call.js'
import { warnOfFileName } from './named-as-file.js'
import { pageAsOf } from './page-as-of.js'
import { readForm } from './read-form.js'
import { asCreated, toPageData, toPageResult } from './page-data.js'
import { toHtmlBytes } from '../templates/page-html.js'
import { type PublishInput, publish } from './publish.js'
import { toPathPrefix } from './search-pages.js'
import type { Result } from '../context/result.js'
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
export async function listPages(asked: Call<Changing | 'forms'>, input: ListPagesInput): Promise<Result<PageData[]>> {
  const call = { ...asked, site: siteOf(asked) }
  const { site } = call
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
  const { indexFollower, tasks } = call
  // A list without `q` is read along an index, up to its limit.
  const { rows, nextCursor } =
    q === undefined || q === ''
      ? await indexFollower.read(site, (index) => index.pages.list(query))
      : await indexFollower.ask(site, false, (from) =>
          tasks.run('listPages', { ...from, query }, { workspaceId: site.workspaceId }),
        )
  const pages = rows.map((row) => toPageData(call, row))
  const [page] = pages
  const blob = rows[0]?.blob
  if (as === undefined || page === undefined || blob == null) return { data: pages, nextCursor }
  const { fields, long } = await readForm(call, blob, { as })
  return { data: [{ ...page, ...fields }], nextCursor, ...(long && { long }) }
}

/** Handles POST. An unpublished page at this path is published again with its id. Throws `page_exists` for a taken path. */
export async function createPage(asked: Call<Changing | 'newId'>, input: PublishInput): Promise<Result<PageData>> {
  const call = { ...asked, site: siteOf(asked, input.siteId) }
  const replay = async (facts: CommitFacts) =>
    asCreated(await pageAsOf(call, facts.trailers['Page-Id'] ?? '', facts.oid))
  return withWarning(input, await publish(call, input, { replace: false, replay }))
}

/** Adds a warning for a page at the path of a file. */
export function withWarning({ path, asPage }: PublishInput, { data, ...result }: Result<PageData>): Result<PageData> {
  return { ...result, data: { ...data, ...warnOfFileName(path, asPage) } }
}

/** Handles PUT by path: creates or replaces. */
export async function putPage(asked: Call<Changing | 'newId'>, input: PublishInput): Promise<Result<PageData>> {
  const call = { ...asked, site: siteOf(asked, input.siteId) }
  const replace = input.ifNoneMatch === undefined
  return withWarning(input, await publish(call, input, { replace }))
}

/** Returns a published page with its content, in the requested form and part. */
export async function getPage(
  asked: Call<Changing | 'forms'>,
  input: ResourceId & ContentQuery,
): Promise<Result<PageData>> {
  const { site, row } = await findPage(asked, input.id)
  const call = { ...asked, site }
  if (row.blob === null) throw pageNotFound()
  const result = toPageResult(call, row)
  const { fields, long } = await readForm(call, row.blob, input)
  return { ...result, data: { ...result.data, ...fields }, ...(long && { long }) }
}

/** Handles PUT of the content. Throws `page_unpublished`. */
export async function replacePage(
  call: Call<Changing>,
  input: ResourceId & Conditions & DryRunInput & { html: string | Uint8Array; reason?: string },
): Promise<Result<PageData>> {
  const html = toHtmlBytes(call, input.html)
  const page = await findPage(call, input.id)
  const operation = { kind: 'replace-page', page: page.known, html, ...conditionOf(input) } as const
  return await changePage(call, page, { operation, input, reason: input.reason })
}

/** Changes the title alone; null removes it. Throws `page_unpublished`. */
export async function retitlePage(
  call: Call<Changing>,
  input: ResourceId & Conditions & DryRunInput & { title: string | null },
): Promise<Result<PageData>> {
  const page = await findPage(call, input.id)
  const operation = { kind: 'retitle-page', page: page.known, title: input.title, ...conditionOf(input) } as const
  return await changePage(call, page, { operation, input })
}
