// Reads the page that an address names. It may be asked for before the site is known: its id is enough.

import { askAhead, takeAhead } from '../../api/ahead.js'
import { api, dataOf, type Page, type Site } from '../../api/client.js'
import { OWN_DRAFT, readPage } from './read-page.js'

/** `request`: the page as this change request makes it. */
export function askForPage(id: string, request?: string): void {
  const query = request === undefined ? {} : { changeRequest: request }
  askAhead(keyOf(id, request), async () => dataOf(await api.GET('/pages/{id}', { params: { path: { id }, query } })))
}

/** Asks for the page as the person's own draft makes it. */
export function askForOwnPage(siteId: string, id: string): void {
  askAhead(keyOf(id, OWN_DRAFT), () => readPage({ id: siteId }, id, null, OWN_DRAFT))
}

export async function takePage(site: Site, id: string, signal: AbortSignal, request?: string): Promise<Page> {
  const ask = async () => await readPage(site, id, signal, request)
  // The page of another site has no place below this one.
  return await takeAhead<Page>(keyOf(id, request), ask, ({ siteId }) => siteId === site.id)
}

function keyOf(id: string, request = 'main'): string {
  return `page ${id} in ${request}`
}
