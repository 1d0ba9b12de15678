// Changes an existing page, or shows the change in a dry run. The answer is the page after the change.

import type { PageData } from '../../../schemas/pages.js'
import type { Operation } from '../../repository/protocol/write.js'
import { showPage } from './dry-run.js'
import type { FoundPage } from './find-page.js'
import { pageAfter } from './page-as-of.js'
import type { Conditions, DryRunInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { explainStale } from './stale.js'
import type { RequestContext } from '../context/request-context.js'
import { type CommitNotes, writeSite } from '../context/write-site.js'

interface PageChange extends CommitNotes {
  operation: Operation
  input: Conditions & DryRunInput
}

/** Refuses a stale entity tag with the difference to the current page. */
export async function changePage(
  services: Services,
  context: RequestContext,
  page: FoundPage,
  change: PageChange,
): Promise<Result<PageData>> {
  return await explainStale(services, context, page, change.input, () => makeChange(services, context, page, change))
}

/** Does the same without the difference. */
export async function makeChange(
  services: Services,
  context: RequestContext,
  { site }: FoundPage,
  { operation, input, ...notes }: PageChange,
): Promise<Result<PageData>> {
  if (input.dryRun === true) return await showPage(services, context, site, operation)
  return await pageAfter(services, site, await writeSite(services, context, site, operation, notes))
}
