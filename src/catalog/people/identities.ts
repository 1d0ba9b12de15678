// The accounts of people at identity providers. An issuer and a subject name one; an e-mail address never does.

import { type Selectable, sql } from 'kysely'
import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import type { OpenDatabase, Write } from '../database/database.js'
import type { CatalogTables } from '../database/tables.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import { type Loan, loanColumns, readLoan } from './loans.js'

export interface Identity {
  id: string
  issuer: string
  subject: string
  userId: string
  /** The address that the provider verified at the last sign-in. */
  email: string | null
  createdAt: string
  lastUsedAt: string | null
  /** Null: it opens all workspaces of its person. */
  loan: Loan | null
}

export type NewIdentity = Omit<Identity, 'createdAt' | 'lastUsedAt' | 'loan'>

type Row = Selectable<CatalogTables['identities']>

export class Identities {
  readonly #db: OpenDatabase<CatalogTables>['db']
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock
  readonly #bySubject: SqliteStatement<Row>

  constructor({ db, sqlite, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#db = db
    this.#write = write
    this.#clock = clock
    this.#bySubject = sqlite.prepare('SELECT * FROM identities WHERE issuer = ? AND subject = ?')
  }

  find(issuer: string, subject: string): Identity | undefined {
    const row = this.#bySubject.first([issuer, subject])
    return row && readRow(row)
  }

  /** Lists the identities of a person, the oldest first. */
  async listOf(userId: string): Promise<Identity[]> {
    const rows = await this.#db
      .selectFrom('identities')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(readRow)
  }

  /** Adds an identity; with a name, a new person who has it. Throws an error for which `isTaken` holds if somebody has it already. */
  async add({ id, issuer, subject, userId, email }: NewIdentity, nameOfNew?: string): Promise<void> {
    const now = this.#now()
    const row = {
      id,
      issuer,
      subject,
      user_id: userId,
      email,
      created_at: now,
      last_used_at: now,
      ...loanColumns(null),
    }
    await this.#write((db) => [
      ...(nameOfNew === undefined
        ? []
        : [db.insertInto('users').values({ id: userId, name: nameOfNew, created_at: now }).compile()]),
      db.insertInto('identities').values(row).compile(),
    ])
  }

  /** Makes an identity the person's own: it opens all workspaces from now on. */
  async own(id: string): Promise<void> {
    await this.#write((db) => [db.updateTable('identities').set(loanColumns(null)).where('id', '=', id).compile()])
  }

  /** Notes a use, and the address that the provider verified. */
  async use(id: string, email: string | null): Promise<void> {
    const used = { last_used_at: this.#now(), email }
    await this.#write((db) => [db.updateTable('identities').set(used).where('id', '=', id).compile()])
  }

  /** Removes an identity of a person. False, and nothing changes, if it is the person's last own way to sign in. */
  async remove(userId: string, id: string): Promise<boolean> {
    const [, removed] = await this.#write((db) => [
      // Puts changes to the ways of a person in order, so that two removals cannot take the last two.
      sql`UPDATE users SET name = name WHERE id = ${userId}`.compile(db),
      sql`
      DELETE FROM identities WHERE id = ${id} AND user_id = ${userId} AND (
        EXISTS (SELECT 1 FROM identities AS other WHERE other.user_id = ${userId} AND other.id <> ${id}
          AND other.bound_to IS NULL)
        OR EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = ${userId} AND passkeys.bound_to IS NULL))`.compile(
        db,
      ),
    ])
    return removed?.count === 1
  }

  #now(): string {
    return toTimestamp(toSeconds(this.#clock()))
  }
}

function readRow(row: Row): Identity {
  const { id, issuer, subject, email } = row
  const times = { createdAt: row.created_at, lastUsedAt: row.last_used_at }
  return { id, issuer, subject, email, userId: row.user_id, ...times, loan: readLoan(row) }
}
