// Reads a page, even an unpublished one: the endpoint of one page answers 404 for it, but the list has it.

import { dataOf, type Page, Refusal, type Site, siteApi, sliceOf } from '../../api/client.js'

export async function readPage(site: Site, id: string, signal: AbortSignal | null = null): Promise<Page> {
  const api = siteApi(site)
  try {
    return dataOf(await api.GET('/pages/{id}', { params: { path: { id } }, signal }))
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'page_not_found') throw error
    const query = { id, status: 'unpublished' } as const
    const [page] = sliceOf<Page>(await api.GET('/pages', { params: { query }, signal })).entries
    if (page === undefined) throw error
    return page
  }
}
