// Removes what is stored about the change requests and the protection of sites.

import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Statement } from '../database/database.js'
import type { CatalogTables } from '../database/tables.js'

type SiteIds = SelectQueryBuilder<CatalogTables, 'sites', { id: string }>

/** Returns the statements for the sites with these ids, in the order that references allow. */
export function forgetRequests(db: Kysely<CatalogTables>, sites: SiteIds): Statement<CatalogTables, unknown>[] {
  const requests = db.selectFrom('changeRequests').select('id').where('siteId', 'in', sites)
  return [
    db.deleteFrom('comments').where('siteId', 'in', sites),
    db.deleteFrom('changeRequestApprovals').where('requestId', 'in', requests),
    db.deleteFrom('changeRequestMakers').where('requestId', 'in', requests),
    db.deleteFrom('changeRequests').where('siteId', 'in', sites),
    db.deleteFrom('protectionExceptions').where('siteId', 'in', sites),
  ]
}
