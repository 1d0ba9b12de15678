// What the service signs with: made once with the catalog, and shown to nobody.

import type { OpenDatabase } from './database.js'
import type { CatalogTables } from './tables.js'

/** Signs links to a site's past: with another value every link given until then is worthless. */
export async function readLinkSecret({ db }: OpenDatabase<CatalogTables>): Promise<Buffer> {
  const row = await db.selectFrom('secrets').select('value').where('name', '=', 'links').executeTakeFirstOrThrow()
  return Buffer.from(row.value, 'hex')
}
