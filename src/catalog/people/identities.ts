// The accounts of people at identity providers. An issuer and a subject name one; an e-mail address never does.

import { sql } from 'kysely'
import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import { loanColumns, readWayIn, type WithLoan } from './loans.js'

type IdentityRow = Row<'identities'>

export type Identity = WithLoan<IdentityRow>

export type NewIdentity = Omit<Identity, 'createdAt' | 'lastUsedAt' | 'loan'>

export class Identities {
  readonly #database: CatalogDatabase
  readonly #bySubject: SqliteStatement<IdentityRow>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#bySubject = database.prepare('SELECT * FROM identities WHERE issuer = ? AND subject = ?')
  }

  find(issuer: string, subject: string): Identity | undefined {
    const row = this.#bySubject.first([issuer, subject])
    return row && readWayIn(row)
  }

  /** Lists the identities of a person, the oldest first. */
  async listOf(userId: string): Promise<Identity[]> {
    const rows = await this.#database.db
      .selectFrom('identities')
      .selectAll()
      .where('userId', '=', userId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
    return rows.map(readWayIn)
  }

  /** Adds an identity; with a name, a new person who has it. Throws an error for which `isTaken` holds if somebody has it already. */
  async add({ id, issuer, subject, userId, email }: NewIdentity, nameOfNew?: string): Promise<void> {
    const now = this.#database.now()
    const row = { id, issuer, subject, userId, email, createdAt: now, lastUsedAt: now, ...loanColumns(null) }
    await this.#database.write((db) => [
      ...(nameOfNew === undefined
        ? []
        : [db.insertInto('users').values({ id: userId, name: nameOfNew, createdAt: now })]),
      db.insertInto('identities').values(row),
    ])
  }

  /** Makes an identity the person's own: it opens all workspaces from now on. */
  async own(id: string): Promise<void> {
    await this.#database.write((db) => [db.updateTable('identities').set(loanColumns(null)).where('id', '=', id)])
  }

  /** Notes a use, and the address that the provider verified. */
  async use(id: string, email: string | null): Promise<void> {
    const used = { lastUsedAt: this.#database.now(), email }
    await this.#database.write((db) => [db.updateTable('identities').set(used).where('id', '=', id)])
  }

  /** Removes an identity of a person. False, and nothing changes, if it is the person's last own way to sign in. */
  async remove(userId: string, id: string): Promise<boolean> {
    const [, removed] = await this.#database.write(() => [
      // Puts changes to the ways of a person in order, so that two removals cannot take the last two.
      sql`UPDATE users SET name = name WHERE id = ${userId}`,
      sql`
      DELETE FROM identities WHERE id = ${id} AND user_id = ${userId} AND (
        EXISTS (SELECT 1 FROM identities AS other WHERE other.user_id = ${userId} AND other.id <> ${id}
          AND other.bound_to IS NULL)
        OR EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = ${userId} AND passkeys.bound_to IS NULL))`,
    ])
    return removed?.count === 1
  }
}
