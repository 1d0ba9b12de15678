// Finds what an operation of a batch names: a page by its id or path, a collection by its id or name.

import { ServiceError } from '../../model/errors.js'
import { isUuid } from '../../model/ids.js'
import { parsePagePath } from '../../model/paths/page-path.js'
import type { AtSite, Finding, SiteCall } from '../context/call.js'
import { type FoundPage, findPage, findPageAt } from '../pages/find-page.js'
import { type FoundCollection, findCollectionIn } from '../records/collections.js'
import { noSuchPage } from './edited-pages.js'

/** Throws `page_not_found`, and `invalid_path` for a text that is neither id nor path. */
export async function findNamedPage(call: SiteCall<Finding>, name: string): Promise<FoundPage> {
  if (isUuid(name)) return await findPage(call, name)
  const page = await findPageAt(call, parsePagePath(name))
  if (page === undefined) throw noSuchPage(call, name)
  return page
}

/** Throws `collection_not_found`, and `ambiguous_id` if two collections have the name. */
export async function findNamedCollection(call: AtSite<'indexFollower'>, name: string): Promise<FoundCollection> {
  if (isUuid(name)) return await findCollectionIn(call, name)
  const ids = await call.indexFollower.read(call.site, (index) => index.collections.idsNamed(name))
  if (ids.length > 1) {
    const message = `More than one collection is called ${JSON.stringify(name)}: use an id.`
    throw new ServiceError('ambiguous_id', message, { ids })
  }
  return await findCollectionIn(call, ids[0] ?? name)
}
