// Finds the page that a command is about, by its path or its id.

import { type DataOf, dataOf } from '../../protocols/client/client.js'
import { isUuid } from '../../model/ids.js'
import { type Connection, siteOption } from './connection.js'
import { Unusable } from './unusable.js'

export type Page = DataOf<'/pages/{id}', 'get'>

/** Finds the page's id, also of an unpublished page. `where` may name a change request. Throws Unusable if there never was a page. */
export async function findPageId(
  connection: Connection,
  pathOrId: string,
  where: { changeRequest?: string } = {},
): Promise<string> {
  if (isUuid(pathOrId)) return pathOrId
  const { client } = connection
  const query = { path: pathOrId, status: 'all', limit: 1, ...where } as const
  const found = dataOf(await client.GET('/pages', { params: { query } }))
  const [page] = found
  if (page === undefined) {
    const list = `palimpsest pages${siteOption(connection)}`
    throw new Unusable(`The site has no page at ${pathOrId}. See "${list}".`)
  }
  return page.id
}
