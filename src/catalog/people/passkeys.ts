// Passkeys of people (WebAuthn credentials).

import type { Selectable } from 'kysely'
import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import { isTaken, type OpenDatabase, type Write } from '../database/database.js'
import type { CatalogTables } from '../database/tables.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import { type Loan, loanColumns, readLoan } from './loans.js'

export interface Passkey {
  id: string
  userId: string
  /** Base64url, as WebAuthn writes it. */
  credentialId: string
  publicKey: string
  algorithm: string
  /** The count of its uses. It stays 0 for passkeys that several devices share. */
  counter: number
  /** The host that it was made for: it works at no other. */
  rpId: string
  name: string
  createdAt: string
  lastUsedAt: string | null
  /** Null: it opens all workspaces of its person. */
  loan: Loan | null
}

type Row = Selectable<CatalogTables['passkeys']>

export class Passkeys {
  readonly #db: OpenDatabase<CatalogTables>['db']
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock
  readonly #provable: SqliteStatement<object>

  constructor({ db, sqlite, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#db = db
    this.#write = write
    this.#clock = clock
    this.#provable = sqlite.prepare(
      `SELECT 1 FROM passkeys WHERE user_id = ?1 AND rp_id = ?2 AND bound_to IS NULL
       UNION ALL SELECT 1 FROM identities WHERE user_id = ?1 AND bound_to IS NULL LIMIT 1`,
    )
  }

  /** Stores a new passkey. False if there is one with the same credential. */
  async create({ id, name, algorithm, counter, ...passkey }: Passkey): Promise<boolean> {
    const row = {
      id,
      name,
      algorithm,
      counter,
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      rp_id: passkey.rpId,
      created_at: passkey.createdAt,
      last_used_at: passkey.lastUsedAt,
      ...loanColumns(passkey.loan),
    }
    try {
      await this.#write((db) => [db.insertInto('passkeys').values(row).compile()])
      return true
    } catch (error) {
      if (isTaken(error)) return false
      throw error
    }
  }

  async findByCredential(credentialId: string): Promise<Passkey | undefined> {
    const row = await this.#db
      .selectFrom('passkeys')
      .selectAll()
      .where('credential_id', '=', credentialId)
      .executeTakeFirst()
    return row && readRow(row)
  }

  /** Lists the passkeys of a person, the oldest first. */
  async listOf(userId: string): Promise<Passkey[]> {
    const rows = await this.#db
      .selectFrom('passkeys')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(readRow)
  }

  /** Whether the person has a passkey for the host, or an account at an identity provider, of their own. Synchronous, as requests ask it. */
  canProve(userId: string, rpId: string): boolean {
    return this.#provable.first([userId, rpId]) !== undefined
  }

  /** Lists the hosts other than `rpId` that passkeys were made for, the last one first. */
  async formerHosts(rpId: string): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('passkeys')
      .select('rp_id')
      .where('rp_id', '!=', rpId)
      .groupBy('rp_id')
      .orderBy((row) => row.fn.max('created_at'), 'desc')
      .limit(3)
      .execute()
    return rows.map((row) => row.rp_id)
  }

  /**
   * Notes a use with the passkey's count. False, and nothing changes, unless the count went on or was always 0: a copy of the passkey has
   * been used.
   */
  async use(id: string, counter: number): Promise<boolean> {
    const [used] = await this.#write((db) => [
      db
        .updateTable('passkeys')
        .set({ counter, last_used_at: this.#now() })
        .where('id', '=', id)
        .where('counter', counter === 0 ? '=' : '<', counter)
        .compile(),
    ])
    return used?.count === 1
  }

  /** False if the person has no passkey with this id. */
  async rename(userId: string, id: string, name: string): Promise<boolean> {
    const [renamed] = await this.#write((db) => [
      db.updateTable('passkeys').set({ name }).where('user_id', '=', userId).where('id', '=', id).compile(),
    ])
    return renamed?.count === 1
  }

  /** False if the person has no passkey with this id. */
  async remove(userId: string, id: string): Promise<boolean> {
    const [removed] = await this.#write((db) => [
      db.deleteFrom('passkeys').where('user_id', '=', userId).where('id', '=', id).compile(),
    ])
    return removed?.count === 1
  }

  #now(): string {
    return toTimestamp(toSeconds(this.#clock()))
  }
}

function readRow(row: Row): Passkey {
  const { id, algorithm, counter, name } = row
  return {
    id,
    algorithm,
    counter,
    name,
    userId: row.user_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    rpId: row.rp_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    loan: readLoan(row),
  }
}
