// The preview of a version: the page as a roll-back would publish it. A version is shown so even if the page is unpublished. The public
// does not see it: links to the past hide what the site has removed.

import { dataOf, type Page, type Site, siteApi } from '../../api/client.js'

/** Returns the URL. It ends after minutes. */
export async function previewOfVersion(site: Site, page: Page, number: number, signal?: AbortSignal): Promise<string> {
  const params = { path: { id: page.id }, query: { dryRun: true } }
  const body = { version: number }
  const { dryRun } = dataOf(
    await siteApi(site).POST('/pages/{id}/rollback', { params, body, ...(signal && { signal }) }),
  )
  if (dryRun?.previewUrl == null) throw new Error('This version is too large for a preview.')
  return dryRun.previewUrl
}
