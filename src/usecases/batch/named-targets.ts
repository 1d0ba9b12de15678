// Finds what an operation of a batch names: a page by its id or path, a collection by its id or name.

import type { Site } from '../../catalog/site.js'
import { ServiceError } from '../../model/errors.js'
import { isUuid } from '../../model/ids.js'
import { parsePagePath } from '../../model/paths/page-path.js'
import type { RequestContext } from '../context/request-context.js'
import type { Services } from '../context/services.js'
import { type FoundPage, findPage, findPageAt } from '../pages/find-page.js'
import { type FoundCollection, findCollectionIn } from '../records/collections.js'
import { noSuchPage } from './edited-pages.js'

/** Throws `page_not_found`, and `invalid_path` for a text that is neither id nor path. */
export async function findNamedPage(
  services: Services,
  context: RequestContext,
  site: Site,
  name: string,
): Promise<FoundPage> {
  if (isUuid(name)) return await findPage(services, context, name)
  const page = await findPageAt(services, site, parsePagePath(name))
  if (page === undefined) throw noSuchPage(services, site, name)
  return page
}

/** Throws `collection_not_found`, and `ambiguous_id` if two collections have the name. */
export async function findNamedCollection(services: Services, site: Site, name: string): Promise<FoundCollection> {
  if (isUuid(name)) return await findCollectionIn(services, site, name)
  const ids = await services.indexFollower.read(site, (index) => index.collections.idsNamed(name))
  if (ids.length > 1) {
    const message = `More than one collection is called ${JSON.stringify(name)}: use an id.`
    throw new ServiceError('ambiguous_id', message, { ids })
  }
  return await findCollectionIn(services, site, ids[0] ?? name)
}
