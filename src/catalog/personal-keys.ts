// The API keys of people: each allows no more than its person may do (`authenticate`).

import { type Kysely, sql } from 'kysely'
import { type Clock, toSeconds, toTimestamp } from '../model/clock.js'
import type { Scope } from '../model/rights/scopes.js'
import type { OpenDatabase, Write } from './database/database.js'
import type { CatalogTables } from './database/tables.js'
import { joinWords } from './database/word-list.js'
import { type ApiKey, readKey } from './keys.js'

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
  readonly #db: OpenDatabase<CatalogTables>['db']
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock

  constructor({ db, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#db = db
    this.#write = write
    this.#clock = clock
  }

  /** Lists the keys of a person in the workspace that are not revoked, the oldest first. Offers are no keys yet. */
  async list(workspaceId: string, userId: string): Promise<ApiKey[]> {
    const rows = await this.#db
      .selectFrom('api_keys')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .where('offered_until', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(readKey)
  }

  /**
   * Revokes all keys of a person in the workspace, and all offers to the person. In the same transaction makes the offers: rows like those of
   * keys, whose secret nobody has.
   */
  async end(workspaceId: string, userId: string, offers: readonly NewOffer[] = []): Promise<void> {
    const now = toTimestamp(toSeconds(this.#clock()))
    await this.#write((db) => [
      ...offers.map((offer) => makeOffer(db, offer, now)),
      db
        .updateTable('api_keys')
        .set({ revoked_at: now })
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .compile(),
    ])
  }
}

/** Copies the limits of a key that is valid. The text in place of the hash is no hash, so no secret has it. */
function makeOffer(db: Kysely<CatalogTables>, { id, keyId, to, scopes, sites, until }: NewOffer, now: string) {
  const joined = sites === null ? null : joinWords(sites)
  return sql`
    INSERT INTO api_keys (id, workspace_id, label, prefix, hash, scopes, sites, paths, origins, toolset, expires_at, revoked_at,
      minted_by, user_id, offered_until, offered_from, last_used_at, created_at)
    SELECT ${id}, workspace_id, label, '', ${`offer ${id}`}, ${joinWords(scopes)}, ${joined}, paths, origins, toolset, expires_at, NULL,
      minted_by, ${to}, ${until}, user_id, NULL, ${now}
    FROM api_keys WHERE id = ${keyId} AND revoked_at IS NULL`.compile(db)
}
