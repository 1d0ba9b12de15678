// Reads a page, even an unpublished one: the endpoint of one page answers 404 for it, but the list has it.

import { dataOf, type Page, Refusal, type Site, siteApi, sliceOf } from '../../api/client.js'

/** The own draft of a page, where there is one. */
export const OWN_DRAFT = 'draft'

/** `request`: reads the page as this change request makes it; `draft` is the person's own draft, or what is live without one. */
export async function readPage(
  site: Pick<Site, 'id'>,
  id: string,
  signal: AbortSignal | null = null,
  request?: string,
): Promise<Page> {
  const api = siteApi(site)
  try {
    const query = request === undefined ? {} : { changeRequest: request }
    return dataOf(await api.GET('/pages/{id}', { params: { path: { id }, query }, signal }))
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'page_not_found') throw error
    if (request !== undefined && request !== OWN_DRAFT) throw error
    const query = { id, status: 'unpublished' } as const
    const [page] = sliceOf<Page>(await api.GET('/pages', { params: { query }, signal })).entries
    if (page === undefined) throw error
    return page
  }
}
