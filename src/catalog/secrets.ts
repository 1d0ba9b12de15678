// What the service signs with. Made once with the catalog, and on the way out never.

import type { OpenDatabase } from './database.js'
import type { CatalogTables } from './tables.js'

export class Secrets {
  readonly #db: OpenDatabase<CatalogTables>['db']

  constructor({ db }: OpenDatabase<CatalogTables>) {
    this.#db = db
  }

  /** Signs links to a site's past: another value makes every link given until then worthless. */
  async forLinks(): Promise<Buffer> {
    const row = await this.#db.selectFrom('secrets').select('value').where('name', '=', 'links').executeTakeFirstOrThrow()
    return Buffer.from(row.value, 'hex')
  }
}
