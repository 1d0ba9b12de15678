// Withdrawn versions of pages: without a key their bytes are hidden on every host that shows a site's past. Nothing is cached.

import type { CatalogDatabase, Row } from './database/catalog-database.js'
import type { SqliteStatement } from './sqlite/statement.js'

/** `commit` is the commit of the version. */
export type Withdrawal = Omit<Row<'withdrawals'>, 'commitOid' | 'withdrawnAt'> & { commit: string }

export class Withdrawals {
  readonly #database: CatalogDatabase
  readonly #find: SqliteStatement<{ blob: string }>
  readonly #list: SqliteStatement<{ blob: string }>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#find = database.prepare('SELECT blob FROM withdrawals WHERE site_id = ? AND blob = ?')
    this.#list = database.prepare('SELECT blob FROM withdrawals WHERE site_id = ?')
  }

  /** Records a withdrawal. Call `Sites.expire` afterwards. */
  async add({ siteId, blob, pageId, commit, author }: Withdrawal): Promise<void> {
    const row = { siteId, blob, pageId, commitOid: commit, author, withdrawnAt: this.#database.now() }
    await this.#database.write((db) => [
      db
        .insertInto('withdrawals')
        .values(row)
        .onConflict((conflict) => conflict.doNothing()),
      db
        .updateTable('sites')
        .set((site) => ({ withdrawals: site('withdrawals', '+', 1) }))
        .where('id', '=', siteId),
    ])
  }

  /** Whether the blob is withdrawn. Synchronous. */
  has(siteId: string, blob: string): boolean {
    return this.#find.all([siteId, blob]).length > 0
  }

  /** Lists the withdrawn blobs of a site. Synchronous. */
  list(siteId: string): string[] {
    return this.#list.all([siteId]).map(({ blob }) => blob)
  }
}
