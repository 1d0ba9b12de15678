// Links to a site at a commit, for people without a key: the hash of each secret, its maker, and its expiry. Nothing is
// cached, so a link deleted by any process ends at once. Whether a link's maker could still make it is decided elsewhere (`findLink`).

import type { Selectable } from 'kysely'
import { type Clock, toSeconds, toTimestamp } from '../model/clock.js'
import type { OpenDatabase, Write } from './database/database.js'
import type { SqliteStatement } from './sqlite/statement.js'
import { isAfter } from './row-age.js'
import type { CatalogTables } from './database/tables.js'

export interface SiteLink {
  id: string
  siteId: string
  /** The commit that it shows. */
  commit: string
  /** SHA-256 of its secret, hex. */
  hash: string
  /** `user <id>`, or kind and id of the principal; null for links of before. */
  madeBy: string | null
  /** Maker of the link, as commits name the author. */
  author: string
  expiresAt: string
  createdAt: string
}

type Row = Selectable<CatalogTables['links']>

export class Links {
  readonly #db: OpenDatabase<CatalogTables>['db']
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock
  readonly #byId: SqliteStatement<Row>

  constructor({ db, sqlite, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#db = db
    this.#write = write
    this.#clock = clock
    this.#byId = sqlite.prepare('SELECT * FROM links WHERE id = ? AND expires_at > ?')
  }

  /** Stores a link, and deletes expired links. */
  async create(link: SiteLink): Promise<void> {
    const { id, siteId, commit, hash, madeBy, author, expiresAt, createdAt } = link
    const [, keyId = null] = /^key (.+)$/.exec(madeBy ?? '') ?? []
    const names = { id, hash, author, site_id: siteId, commit_oid: commit, made_by: madeBy, key_id: keyId }
    await this.#write((db) => [
      db.deleteFrom('links').where('expires_at', '<=', this.#now()).compile(),
      db
        .insertInto('links')
        .values({ ...names, expires_at: expiresAt, created_at: createdAt })
        .compile(),
    ])
  }

  /** Finds the link, unless it has expired. Synchronous, as every request to its host asks it. */
  find(id: string): SiteLink | undefined {
    return this.#byId.all([id, this.#now()]).map(readRow)[0]
  }

  /** Lists the site's links, also ended ones (see `find`), oldest first, at most `count` after one of them (`ageOf`). */
  async list(siteId: string, after: string, count: number): Promise<SiteLink[]> {
    const rows = await this.#db
      .selectFrom('links')
      .selectAll()
      .where('site_id', '=', siteId)
      .where(isAfter(after))
      .orderBy('created_at')
      .orderBy('id')
      .limit(count)
      .execute()
    return rows.map(readRow)
  }

  /** Deletes a link. False if the site has no such link. */
  async delete(siteId: string, id: string): Promise<boolean> {
    const [deleted] = await this.#write((db) => [
      db.deleteFrom('links').where('site_id', '=', siteId).where('id', '=', id).compile(),
    ])
    return deleted?.count === 1
  }

  /** Ends the links of all sites. */
  async endEverything(): Promise<void> {
    await this.#write((db) => [db.deleteFrom('links').compile()])
  }

  #now(): string {
    return toTimestamp(toSeconds(this.#clock()))
  }
}

function readRow(row: Row): SiteLink {
  const { id, hash, author } = row
  const times = { expiresAt: row.expires_at, createdAt: row.created_at }
  return { id, siteId: row.site_id, commit: row.commit_oid, hash, madeBy: row.made_by, author, ...times }
}
