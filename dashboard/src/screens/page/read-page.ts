// Reads a page, even an unpublished one: the endpoint of one page answers 404 for it, but the list has it.

import { dataOf, type Page, Refusal, type Site, siteApi, sliceOf } from '../../api/client.js'

/** `request`: reads the page as this change request makes it. */
export async function readPage(
  site: Site,
  id: string,
  signal: AbortSignal | null = null,
  request?: string,
): Promise<Page> {
  const api = siteApi(site)
  try {
    const query = request === undefined ? {} : { changeRequest: request }
    return dataOf(await api.GET('/pages/{id}', { params: { path: { id }, query }, signal }))
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'page_not_found' || request !== undefined) throw error
    const query = { id, status: 'unpublished' } as const
    const [page] = sliceOf<Page>(await api.GET('/pages', { params: { query }, signal })).entries
    if (page === undefined) throw error
    return page
  }
}
