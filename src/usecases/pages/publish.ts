// Publishes html, or a rendered template, at a path.

import type { PageData } from '../../../schemas/pages.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import { ServiceError } from '../../model/errors.js'
import { parsePagePath } from '../../model/paths/page-path.js'
import type { Change } from '../../repository/protocol/write.js'
import { showPage } from './dry-run.js'
import { type FoundPage, findPageAt, findPageIn, findPlace, pageNotFound } from './find-page.js'
import type { Changing, Reading, SiteCall } from '../context/call.js'
import { conditionOf, type Conditions, type DryRunInput } from '../context/input.js'
import { refuseFileName } from './named-as-file.js'
import { pageAfter } from './page-as-of.js'
import { asCreated } from './page-data.js'
import { quoteTag, type Result } from '../context/result.js'
import { changeSite } from '../context/change-site.js'
import { toHtmlBytes } from '../templates/page-html.js'
import { type ComposedPage, composePage, type PageSource } from '../templates/templates.js'

export interface PublishInput extends Conditions, DryRunInput, PageSource {
  path: string
  siteId?: string
  /** The id of the page to duplicate, instead of html and template. */
  duplicateOf?: string
  /** Whether the client means a path that names a file, such as `/style.css`: see named-as-file.ts. */
  asPage?: boolean | undefined
  /** Publish only if no page is published there. */
  ifNoneMatch?: '*'
}

interface Publication {
  replace: boolean
  replay?: (facts: CommitFacts) => Promise<Result<PageData>>
}

/**
 * Publishes the page. `replace: false` refuses a path with a published page: `page_exists`, or with `ifNoneMatch` `precondition_failed`.
 */
export async function publish(
  call: SiteCall<Changing | 'newId'>,
  input: PublishInput,
  { replace, replay }: Publication,
): Promise<Result<PageData>> {
  return await changeSite(call, {
    input,
    plan: async () => ({ operation: await toPublishOperation(call, input, replace) }),
    answer: async (written) => {
      const result = await pageAfter(call, written)
      return written.created ? asCreated(result) : result
    },
    show: (draft) => showPage(call, draft),
    explain: async (error, { operation }) =>
      input.ifNoneMatch !== undefined && isTaken(error) ? notNone(await findPageAt(call, operation.path)) : error,
    ...(replay && { replay }),
  })
}

/** Makes the operation for the site's writer. */
export async function toPublishOperation(
  call: SiteCall<Reading | 'limits' | 'newId' | 'tasks'>,
  input: PublishInput,
  replace: boolean,
): Promise<Extract<Change, { kind: 'publish-page' }>> {
  refuseFileName(input.path, input.asPage)
  const path = parsePagePath(input.path)
  const { html, templateId, title } = await sourceOf(call, input)
  const { page: found, sidecar } = await findPlace(call, path)
  return {
    kind: 'publish-page',
    newId: call.newId(),
    path,
    html,
    title,
    templateId,
    replace,
    ...(found !== undefined && { known: found.known }),
    sidecar,
    ...conditionOf(input),
  }
}

/** Returns the html of a new page: composed, or that of another page of the site. */
async function sourceOf(
  call: SiteCall<Reading | 'limits' | 'tasks'>,
  input: PublishInput,
): Promise<ComposedPage & { title: string | undefined }> {
  const { duplicateOf, html, templateId, title } = input
  if (duplicateOf === undefined) return { ...(await composePage(call, input)), title }
  if (html !== undefined || templateId !== undefined)
    throw new ServiceError('invalid_body', 'Send either "duplicateOf" or "html" and "templateId".')
  const row = (await findPageIn(call, duplicateOf.toLowerCase()))?.row
  if (row === undefined) throw pageNotFound()
  if (row.blob === null)
    throw new ServiceError('page_unpublished', 'The page to duplicate is unpublished: publish it again first.')
  await call.hold(row.size, 'made')
  return {
    html: toHtmlBytes(call, call.store.reader.snapshot(call.site).blob(row.blob)),
    templateId: row.templateId,
    title: title ?? (row.titleIsSet ? (row.title ?? undefined) : undefined),
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'page_exists'
}

function notNone(page: FoundPage | undefined): ServiceError {
  const details = page && { id: page.row.id, etag: quoteTag(page.row.etag) }
  return new ServiceError(
    'precondition_failed',
    'A page is already published at this path: replace it by its id.',
    details,
  )
}
