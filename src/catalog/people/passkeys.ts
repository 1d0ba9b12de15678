// Passkeys of people (WebAuthn credentials).

import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import { isTaken } from '../database/database.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import { loanColumns, readWayIn, type WithLoan } from './loans.js'

export type Passkey = WithLoan<Row<'passkeys'>>

export class Passkeys {
  readonly #database: CatalogDatabase
  readonly #provable: SqliteStatement<object>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#provable = database.prepare(
      `SELECT 1 FROM passkeys WHERE user_id = ?1 AND rp_id = ?2 AND bound_to IS NULL
       UNION ALL SELECT 1 FROM identities WHERE user_id = ?1 AND bound_to IS NULL LIMIT 1`,
    )
  }

  /** Stores a new passkey. False if there is one with the same credential. */
  async create({ loan, ...passkey }: Passkey): Promise<boolean> {
    const row = { ...passkey, ...loanColumns(loan) }
    try {
      await this.#database.write((db) => [db.insertInto('passkeys').values(row)])
      return true
    } catch (error) {
      if (isTaken(error)) return false
      throw error
    }
  }

  async findByCredential(credentialId: string): Promise<Passkey | undefined> {
    const row = await this.#database.db
      .selectFrom('passkeys')
      .selectAll()
      .where('credentialId', '=', credentialId)
      .executeTakeFirst()
    return row && readWayIn(row)
  }

  /** Lists the passkeys of a person, the oldest first. */
  async listOf(userId: string): Promise<Passkey[]> {
    const rows = await this.#database.db
      .selectFrom('passkeys')
      .selectAll()
      .where('userId', '=', userId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
    return rows.map(readWayIn)
  }

  /** Whether the person has an own passkey for the host, or an own account at a provider. Synchronous, as requests ask it. */
  canProve(userId: string, rpId: string): boolean {
    return this.#provable.first([userId, rpId]) !== undefined
  }

  /** Lists the hosts other than `rpId` that passkeys were made for, the last one first. */
  async formerHosts(rpId: string): Promise<string[]> {
    const rows = await this.#database.db
      .selectFrom('passkeys')
      .select('rpId')
      .where('rpId', '!=', rpId)
      .groupBy('rpId')
      .orderBy((row) => row.fn.max('createdAt'), 'desc')
      .limit(3)
      .execute()
    return rows.map((row) => row.rpId)
  }

  /**
   * Notes a use with the passkey's count. False, and nothing changes, unless the count went on or was always 0: a copy of the passkey has
   * been used.
   */
  async use(id: string, counter: number): Promise<boolean> {
    const [used] = await this.#database.write((db) => [
      db
        .updateTable('passkeys')
        .set({ counter, lastUsedAt: this.#database.now() })
        .where('id', '=', id)
        .where('counter', counter === 0 ? '=' : '<', counter),
    ])
    return used?.count === 1
  }

  /** False if the person has no passkey with this id. */
  async rename(userId: string, id: string, name: string): Promise<boolean> {
    const [renamed] = await this.#database.write((db) => [
      db.updateTable('passkeys').set({ name }).where('userId', '=', userId).where('id', '=', id),
    ])
    return renamed?.count === 1
  }

  /** False if the person has no passkey with this id. */
  async remove(userId: string, id: string): Promise<boolean> {
    const [removed] = await this.#database.write((db) => [
      db.deleteFrom('passkeys').where('userId', '=', userId).where('id', '=', id),
    ])
    return removed?.count === 1
  }
}
