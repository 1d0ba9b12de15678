// Withdrawn versions of pages: nobody sees their bytes without a key, on any host that shows a site's past. Nothing is cached.

import { type Clock, toSeconds, toTimestamp } from '../model/clock.js'
import type { SqliteHandle, SqliteStatement } from './sqlite/sqlite.js'
import type { OpenDatabase } from './database.js'
import type { CatalogTables } from './tables.js'

export interface Withdrawal {
  siteId: string
  /** The oid of the version's html: all files of the site with these bytes are withdrawn. */
  blob: string
  pageId: string
  /** The commit of the version. */
  commit: string
  /** Who withdrew it, as commits name the author. */
  author: string
}

export class Withdrawals {
  readonly #sqlite: SqliteHandle
  readonly #clock: Clock
  readonly #find: SqliteStatement<{ blob: string }>
  readonly #list: SqliteStatement<{ blob: string }>
  readonly #insert: SqliteStatement<never>
  readonly #count: SqliteStatement<never>

  constructor({ sqlite }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#sqlite = sqlite
    this.#clock = clock
    this.#find = sqlite.prepare('SELECT blob FROM withdrawals WHERE site_id = ? AND blob = ?')
    this.#list = sqlite.prepare('SELECT blob FROM withdrawals WHERE site_id = ?')
    this.#insert = sqlite.prepare(
      `INSERT OR IGNORE INTO withdrawals (site_id, blob, page_id, commit_oid, author, withdrawn_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    this.#count = sqlite.prepare('UPDATE sites SET withdrawals = withdrawals + 1 WHERE id = ?')
  }

  /** Durable when it returns. `Sites.expire` and the other processes must be told afterwards. */
  add({ siteId, blob, pageId, commit, author }: Withdrawal): void {
    const now = toTimestamp(toSeconds(this.#clock()))
    this.#sqlite.transact(() => {
      this.#insert.run([siteId, blob, pageId, commit, author, now])
      this.#count.run([siteId])
    })
  }

  /** Answers at once. */
  has(siteId: string, blob: string): boolean {
    return this.#find.all([siteId, blob]).length > 0
  }

  /** The blobs that are withdrawn in a site. Answers at once. */
  list(siteId: string): string[] {
    return this.#list.all([siteId]).map(({ blob }) => blob)
  }
}
