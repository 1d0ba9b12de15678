// Publishes html, or a rendered template, at a path.

import type { PageData } from '../../../schemas/pages.js'
import type { Site } from '../../catalog/site.js'
import { ServiceError } from '../../model/errors.js'
import { parsePagePath } from '../../model/paths/page-path.js'
import type { Change } from '../../repository/protocol/write.js'
import { showPage } from './dry-run.js'
import { type FoundPage, findPageAt, findPlace } from './find-page.js'
import { conditionOf, type Conditions, type DryRunInput } from '../context/input.js'
import type { Performed } from '../context/idempotency.js'
import { refuseFileName } from './named-as-file.js'
import { pageAfter } from './page-as-of.js'
import { asCreated } from './page-data.js'
import { quoteTag } from '../context/result.js'
import type { Services } from '../context/services.js'
import type { RequestContext } from '../context/request-context.js'
import { composePage, type PageSource } from '../templates/templates.js'
import { type CommitNotes, writeSite } from '../context/write-site.js'

export interface PublishInput extends Conditions, DryRunInput, PageSource {
  path: string
  siteId?: string
  /** Whether the client means a path that names a file, such as `/style.css`: see named-as-file.ts. */
  asPage?: boolean | undefined
  /** Publish only if no page is published there. */
  ifNoneMatch?: '*'
}

/**
 * Publishes the page. `replace: false` refuses a path with a published page: `page_exists`, or with `ifNoneMatch` `precondition_failed`.
 */
export async function publish(
  services: Services,
  context: RequestContext,
  site: Site,
  input: PublishInput,
  { replace, ...notes }: CommitNotes & { replace: boolean },
): Promise<Performed<PageData>> {
  const operation = await toPublishOperation(services, context, site, input, replace)
  const refuse = async (error: unknown): Promise<never> => {
    if (input.ifNoneMatch === undefined || !isTaken(error)) throw error
    throw notNone(await findPageAt(services, site, operation.path))
  }
  if (input.dryRun === true) {
    return { result: await showPage(services, context, site, operation).catch(refuse), committed: false }
  }
  const written = await writeSite(services, context, site, operation, notes).catch(refuse)
  const result = await pageAfter(services, site, written)
  return { result: written.created ? asCreated(result) : result, committed: written.changed }
}

/** Makes the operation for the site's writer. */
export async function toPublishOperation(
  services: Services,
  context: RequestContext,
  site: Site,
  input: PublishInput,
  replace: boolean,
): Promise<Extract<Change, { kind: 'publish-page' }>> {
  refuseFileName(input.path, input.asPage)
  const path = parsePagePath(input.path)
  const { html, templateId } = await composePage(services, context, site, input)
  const { page: found, sidecar } = await findPlace(services, site, path)
  return {
    kind: 'publish-page',
    newId: services.newId(),
    path,
    html,
    title: input.title,
    templateId,
    replace,
    ...(found !== undefined && { known: found.known }),
    sidecar,
    ...conditionOf(input),
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
