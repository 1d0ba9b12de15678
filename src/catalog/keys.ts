// API keys: their hashes and what they allow. Nothing about a key is cached, so a revocation by any process counts at once.

import { type Kysely, sql } from 'kysely'
import { type ApiKey, type NewApiKey, readKey, rowOfKey } from './api-key.js'
import type { CatalogDatabase, Row } from './database/catalog-database.js'
import type { Statement } from './database/database.js'
import { recordUses } from './database/last-uses.js'
import type { CatalogTables } from './database/tables.js'
import { isAfter } from './row-age.js'
import type { SqliteStatement } from './sqlite/statement.js'

/** Time that the row of a revoked key stays. */
const KEPT_SECONDS = 90 * 24 * 3600

export class Keys {
  readonly #database: CatalogDatabase
  readonly #byHash: SqliteStatement<Row<'apiKeys'>>
  readonly #byId: SqliteStatement<Row<'apiKeys'>>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#byHash = database.prepare('SELECT * FROM api_keys WHERE hash = ?')
    this.#byId = database.prepare('SELECT * FROM api_keys WHERE id = ?')
  }

  /** Stores a key, and deletes those that were revoked long ago. */
  async create(key: NewApiKey): Promise<ApiKey> {
    const row = rowOfKey(key)
    await this.#database.write((db) => [...this.#deleteLongRevoked(db), db.insertInto('apiKeys').values(row)])
    return readKey(row)
  }

  /** Deletes long ended offers too. Keeps a key that made others, so that all of them can still be revoked together. */
  #deleteLongRevoked(db: Kysely<CatalogTables>): Statement<CatalogTables, unknown>[] {
    const latest = this.#database.now(KEPT_SECONDS)
    const makers = db.selectFrom('apiKeys').select('mintedBy').where('mintedBy', 'is not', null)
    const ended = db
      .selectFrom('apiKeys')
      .select('id')
      .where((row) => row.or([row('revokedAt', '<=', latest), row('offeredUntil', '<=', latest)]))
      .where(sql<string>`'key ' || id`, 'not in', makers)
    return [
      db.deleteFrom('links').where('keyId', 'in', ended),
      db.deleteFrom('protectionExceptions').where('keyId', 'in', ended),
      db.deleteFrom('apiKeys').where('id', 'in', ended),
    ]
  }

  /** Finds the key with this hash in any state: check `isUsable`. Synchronous, as every request asks it. */
  findByHash(hash: string): ApiKey | undefined {
    const row = this.#byHash.first([hash])
    return row && readKey(row)
  }

  /** Finds a key of any workspace in any state. Synchronous, as requests of visitors ask it. */
  findById(id: string): ApiKey | undefined {
    const row = this.#byId.first([id])
    return row && readKey(row)
  }

  /**
   * Lists the workspace's keys that are not revoked, also expired ones and open offers, oldest first: all, or at most `count` after one
   * (`ageOf`).
   */
  async list(workspaceId: string, { after = '', count }: { after?: string; count?: number } = {}): Promise<ApiKey[]> {
    let query = this.#database.db
      .selectFrom('apiKeys')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('revokedAt', 'is', null)
      .where((row) => row.or([row('offeredUntil', 'is', null), row('offeredUntil', '>', this.#database.now())]))
      .where(isAfter(after))
      .orderBy('createdAt')
      .orderBy('id')
    if (count !== undefined) query = query.limit(count)
    return (await query.execute()).map(readKey)
  }

  /** Finds a key of the workspace, in any state. */
  async find(workspaceId: string, id: string): Promise<ApiKey | undefined> {
    const row = await this.#database.db
      .selectFrom('apiKeys')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst()
    return row && readKey(row)
  }

  /** Revokes every key that this key made, and all that those made, and so on. Returns their ids. */
  async revokeMintedBy(workspaceId: string, id: string): Promise<string[]> {
    const revokedAt = this.#database.now()
    const [revoked] = await this.#database.write<{ id: string }>(() => [
      sql<{ id: string }>`
      WITH RECURSIVE minted (id) AS (
        SELECT id FROM api_keys WHERE workspace_id = ${workspaceId} AND minted_by = ${`key ${id}`}
        UNION
        SELECT key.id FROM api_keys AS key JOIN minted ON key.minted_by = 'key ' || minted.id
        WHERE key.workspace_id = ${workspaceId}
      )
      UPDATE api_keys SET revoked_at = ${revokedAt}
      WHERE id IN (SELECT id FROM minted) AND revoked_at IS NULL RETURNING id`,
    ])
    return (revoked?.rows ?? []).map((row) => row.id)
  }

  /** Revokes the key from now on, for every process. False if the workspace has no such key, or it was revoked before. */
  async revoke(workspaceId: string, id: string): Promise<boolean> {
    const revokedAt = this.#database.now()
    const [revoked] = await this.#database.write((db) => [
      db
        .updateTable('apiKeys')
        .set({ revokedAt })
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', id)
        .where('revokedAt', 'is', null),
    ])
    return revoked?.count === 1
  }

  /** Lets the key end at `expiresAt`, unless it ends sooner. False if the workspace has no such key, or it was revoked. */
  async expire(workspaceId: string, id: string, expiresAt: string): Promise<boolean> {
    const [expired] = await this.#database.write((db) => [
      db
        .updateTable('apiKeys')
        .set((row) => ({
          expiresAt: row
            .case()
            .when('expiresAt', '<', expiresAt)
            .then(row.ref('expiresAt'))
            .else(row.val(expiresAt))
            .end(),
        }))
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', id)
        .where('revokedAt', 'is', null),
    ])
    return expired?.count === 1
  }

  /** Stores when each key was last used, all in one transaction: one sync of the disk. Never moves a time back. */
  async touch(lastUses: ReadonlyMap<string, string>): Promise<void> {
    await this.#database.write(() => recordUses('apiKeys', lastUses))
  }
}
