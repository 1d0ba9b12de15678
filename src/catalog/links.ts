// Links to a site at a commit or to a change request, for people without a key. Each has the hash of its secret, its maker and its expiry.
// Nothing is cached, so a link deleted by any process ends at once. Whether a link's maker could still make it is decided elsewhere (`findLink`).

import type { CatalogDatabase, Row } from './database/catalog-database.js'
import type { SqliteStatement } from './sqlite/statement.js'
import { isAfter } from './row-age.js'

type LinkRow = Row<'links'>

/**
 * `commit` is the commit that it shows. With `request` it shows that change request as it is, and `commit` was its head when the link was
 * made.
 */
export type SiteLink = Omit<LinkRow, 'commitOid' | 'keyId' | 'requestId'> & { commit: string; request?: string }

export class Links {
  readonly #database: CatalogDatabase
  readonly #byId: SqliteStatement<LinkRow>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#byId = database.prepare('SELECT * FROM links WHERE id = ? AND expires_at > ?')
  }

  /** Stores a link, and deletes expired links. */
  async create(link: SiteLink): Promise<void> {
    const { commit: commitOid, request: requestId = null, ...row } = link
    const [, keyId = null] = /^key (.+)$/.exec(row.madeBy ?? '') ?? []
    await this.#database.write((db) => [
      db.deleteFrom('links').where('expiresAt', '<=', this.#database.now()),
      db.insertInto('links').values({ ...row, commitOid, keyId, requestId }),
    ])
  }

  /** Finds the link, unless it has expired. Synchronous, as every request to its host asks it. */
  find(id: string): SiteLink | undefined {
    const row = this.#byId.first([id, this.#database.now()])
    return row && readLink(row)
  }

  /** Lists the site's links, also ended ones (see `find`), oldest first, at most `count` after one of them (`ageOf`). */
  async list(siteId: string, after: string, count: number): Promise<SiteLink[]> {
    const rows = await this.#database.db
      .selectFrom('links')
      .selectAll()
      .where('siteId', '=', siteId)
      .where(isAfter(after))
      .orderBy('createdAt')
      .orderBy('id')
      .limit(count)
      .execute()
    return rows.map(readLink)
  }

  /** Deletes a link. False if the site has no such link. */
  async delete(siteId: string, id: string): Promise<boolean> {
    const [deleted] = await this.#database.write((db) => [
      db.deleteFrom('links').where('siteId', '=', siteId).where('id', '=', id),
    ])
    return deleted?.count === 1
  }

  /** Ends the links of all sites. */
  async endEverything(): Promise<void> {
    await this.#database.write((db) => [db.deleteFrom('links')])
  }
}

function readLink({
  id,
  siteId,
  commitOid: commit,
  requestId,
  hash,
  author,
  expiresAt,
  createdAt,
  madeBy,
}: LinkRow): SiteLink {
  const request = requestId ?? undefined
  return { id, siteId, commit, hash, author, expiresAt, createdAt, madeBy, ...(request !== undefined && { request }) }
}
