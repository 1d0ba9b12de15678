// The API keys of people: each allows no more than its person may do (`authenticate`).

import { sql } from 'kysely'
import type { Scope } from '../model/rights/scopes.js'
import type { CatalogDatabase } from './database/catalog-database.js'
import { joinWords } from './database/word-list.js'
import { type ApiKey, readKey } from './api-key.js'

/** A key of a leaving person, offered to another. */
export interface NewOffer {
  id: string
  keyId: string
  /** The id of the person who may take it. */
  to: string
  scopes: readonly Scope[]
  sites: readonly string[] | null
  /** RFC 3339. */
  until: string
}

export class PersonalKeys {
  readonly #database: CatalogDatabase

  constructor(database: CatalogDatabase) {
    this.#database = database
  }

  /** Lists the keys of a person in the workspace that are not revoked, the oldest first. Offers are no keys yet. */
  async list(workspaceId: string, userId: string): Promise<ApiKey[]> {
    const rows = await this.#database.db
      .selectFrom('apiKeys')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('userId', '=', userId)
      .where('revokedAt', 'is', null)
      .where('offeredUntil', 'is', null)
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
    return rows.map(readKey)
  }

  /**
   * Revokes all keys of a person in the workspace, and all offers to the person. In the same transaction makes the offers: rows like
   * those of keys, whose secret nobody has.
   */
  async end(workspaceId: string, userId: string, offers: readonly NewOffer[] = []): Promise<void> {
    const now = this.#database.now()
    await this.#database.write((db) => [
      ...offers.map((offer) => makeOffer(offer, now)),
      db
        .updateTable('apiKeys')
        .set({ revokedAt: now })
        .where('workspaceId', '=', workspaceId)
        .where('userId', '=', userId)
        .where('revokedAt', 'is', null),
    ])
  }
}

/** Copies the limits of a key that is valid. The text in place of the hash is no hash, so no secret has it. */
function makeOffer({ id, keyId, to, scopes, sites, until }: NewOffer, now: string) {
  return sql`
    INSERT INTO api_keys (id, workspace_id, label, prefix, hash, scopes, sites, paths, origins, toolset, expires_at, revoked_at,
      minted_by, user_id, offered_until, offered_from, last_used_at, created_at)
    SELECT ${id}, workspace_id, label, '', ${`offer ${id}`}, ${joinWords(scopes)}, ${joinWords(sites)}, paths, origins, toolset,
      expires_at, NULL, minted_by, ${to}, ${until}, user_id, NULL, ${now}
    FROM api_keys WHERE id = ${keyId} AND revoked_at IS NULL`
}
