// Changes an existing page, or shows the change in a dry run. The answer is the page after the change.

import type { PageData } from '../../../schemas/pages.js'
import { changeSite, type Plan } from '../context/change-site.js'
import { showPage } from './dry-run.js'
import type { FoundPage } from './find-page.js'
import { pageAfter } from './page-as-of.js'
import type { Call, Changing } from '../context/call.js'
import type { Conditions, DryRunInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { explainStale } from './stale.js'

interface PageChange extends Plan {
  input: Conditions & DryRunInput
}

/** Refuses a stale entity tag with the difference to the current page. */
export async function changePage(
  asked: Call<Changing>,
  page: FoundPage,
  { input, ...plan }: PageChange,
): Promise<Result<PageData>> {
  const call = { ...asked, site: page.site }
  return await changeSite(call, {
    input,
    plan: () => plan,
    answer: (written) => pageAfter(call, written),
    show: (draft) => showPage(call, draft),
    explain: (error) => explainStale(call, page, input, error),
  })
}
