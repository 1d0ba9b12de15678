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

/** Refuses a stale entity tag with the difference to the current page. */
export async function changePage(
  services: Services,
  context: RequestContext,
  page: FoundPage,
  { operation, input, ...notes }: { operation: Operation; input: Conditions & DryRunInput } & CommitNotes,
): Promise<Result<PageData>> {
  const { site } = page
  return await explainStale(services, context, page, input, async () => {
    if (input.dryRun === true) return await showPage(services, context, site, operation)
    return await pageAfter(services, site, await writeSite(services, context, site, operation, notes))
  })
}
