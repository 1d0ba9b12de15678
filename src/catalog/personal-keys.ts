// The API keys of people: each allows no more than its person may do (`authenticate`).

import { type Clock, toSeconds, toTimestamp } from '../model/clock.js'
import type { OpenDatabase, Write } from './database/database.js'
import type { CatalogTables } from './database/tables.js'
import { type ApiKey, readKey } from './keys.js'

export class PersonalKeys {
  readonly #db: OpenDatabase<CatalogTables>['db']
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock

  constructor({ db, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#db = db
    this.#write = write
    this.#clock = clock
  }

  /** Lists the keys of a person in the workspace that are not revoked, the oldest first. */
  async list(workspaceId: string, userId: string): Promise<ApiKey[]> {
    const rows = await this.#db
      .selectFrom('api_keys')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(readKey)
  }

  /** Revokes all keys of a person in the workspace. */
  async revokeAll(workspaceId: string, userId: string): Promise<void> {
    const revokedAt = toTimestamp(toSeconds(this.#clock()))
    await this.#write((db) => [
      db
        .updateTable('api_keys')
        .set({ revoked_at: revokedAt })
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .compile(),
    ])
  }

  /** Makes all keys of a person in the workspace those of another. */
  async handOver(workspaceId: string, userId: string, to: string): Promise<void> {
    await this.#write((db) => [
      db
        .updateTable('api_keys')
        .set({ user_id: to })
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .compile(),
    ])
  }
}
