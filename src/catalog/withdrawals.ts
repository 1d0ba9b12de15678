// Withdrawn versions of pages: without a key their bytes are hidden on every host that shows a site's past. Nothing is cached.

import { type Clock, toSeconds, toTimestamp } from '../model/clock.js'
import type { OpenDatabase, Write } from './database/database.js'
import type { SqliteStatement } from './sqlite/statement.js'
import type { CatalogTables } from './database/tables.js'

export interface Withdrawal {
  siteId: string
  /** Oid of the version's html: all files of the site with these bytes are withdrawn. */
  blob: string
  pageId: string
  /** Commit of the version. */
  commit: string
  /** Person or key that withdrew it, as commits name the author. */
  author: string
}

export class Withdrawals {
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock
  readonly #find: SqliteStatement<{ blob: string }>
  readonly #list: SqliteStatement<{ blob: string }>

  constructor({ sqlite, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#write = write
    this.#clock = clock
    this.#find = sqlite.prepare('SELECT blob FROM withdrawals WHERE site_id = ? AND blob = ?')
    this.#list = sqlite.prepare('SELECT blob FROM withdrawals WHERE site_id = ?')
  }

  /** Records a withdrawal. Call `Sites.expire` afterwards. */
  async add({ siteId, blob, pageId, commit, author }: Withdrawal): Promise<void> {
    const now = toTimestamp(toSeconds(this.#clock()))
    const row = { site_id: siteId, blob, page_id: pageId, commit_oid: commit, author, withdrawn_at: now }
    await this.#write((db) => [
      db
        .insertInto('withdrawals')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .compile(),
      db
        .updateTable('sites')
        .set((site) => ({ withdrawals: site('withdrawals', '+', 1) }))
        .where('id', '=', siteId)
        .compile(),
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
