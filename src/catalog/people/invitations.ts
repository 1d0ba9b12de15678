// Invitations into workspaces: links that work once. Only hashes are stored. Nothing is cached, so one that is revoked by any process ends
// at once.

import { type CompiledQuery, type Kysely, type Selectable, sql } from 'kysely'
import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import type { Rights } from '../../model/rights/roles.js'
import type { OpenDatabase, Write } from '../database/database.js'
import type { CatalogTables } from '../database/tables.js'
import { joinWords, splitWords } from '../database/word-list.js'
import type { SqliteStatement } from '../sqlite/statement.js'

/** The source of the rights that an invitation gives. */
export const BY_INVITATION = 'invitation'

export interface Invitation extends Rights {
  id: string
  /** `hashKey` of the link's token. */
  hash: string
  workspaceId: string
  /** The only verified address that may take it, in lower case; null: anybody with the link. */
  email: string | null
  /** `user <id>`, or kind and id of the principal. */
  invitedBy: string
  expiresAt: string
  createdAt: string
}

/** The person who takes an invitation, with all rights that invitations then give. */
export interface Taking extends Rights {
  userId: string
  /** The name of a new person. */
  name?: string
}

type Row = Selectable<CatalogTables['invitations']>

export class Invitations {
  readonly #db: OpenDatabase<CatalogTables>['db']
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock
  readonly #byHash: SqliteStatement<Row>

  constructor({ db, sqlite, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#db = db
    this.#write = write
    this.#clock = clock
    this.#byHash = sqlite.prepare('SELECT * FROM invitations WHERE hash = ? AND expires_at > ?')
  }

  /** Stores an invitation, and deletes expired ones. */
  async create(invitation: Invitation): Promise<void> {
    const { id, hash, workspaceId, role, sites, email, invitedBy, expiresAt, createdAt } = invitation
    const words = { workspace_id: workspaceId, sites: sites === null ? null : joinWords(sites), invited_by: invitedBy }
    const row = { id, hash, role, email, ...words, expires_at: expiresAt, created_at: createdAt }
    await this.#write((db) => [
      db.deleteFrom('invitations').where('expires_at', '<=', this.#now()).compile(),
      db.insertInto('invitations').values(row).compile(),
    ])
  }

  /** Finds the invitation that can still be taken by this token. */
  findByHash(hash: string): Invitation | undefined {
    return this.#byHash.all([hash, this.#now()]).map(readRow)[0]
  }

  /** Finds an invitation of the workspace, also an expired one. */
  async find(workspaceId: string, id: string): Promise<Invitation | undefined> {
    const rows = await this.#db
      .selectFrom('invitations')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute()
    return rows.map(readRow)[0]
  }

  /** Lists the invitations that can be taken, the oldest first. */
  async list(workspaceId: string): Promise<Invitation[]> {
    const rows = await this.#db
      .selectFrom('invitations')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('expires_at', '>', this.#now())
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(readRow)
  }

  /** Uses up the invitation, and makes the person a member. False if it was taken or has ended: only one of several callers gets it. */
  async take(hash: string, taking: Taking): Promise<boolean> {
    const written = await this.#write((db) => [
      // The lock makes others wait, who then find no invitation.
      sql`UPDATE invitations SET hash = hash WHERE hash = ${hash}`.compile(db),
      ...this.#join(db, hash, taking),
      db.deleteFrom('invitations').where('hash', '=', hash).where('expires_at', '>', this.#now()).compile(),
    ])
    return written.at(-1)?.count === 1
  }

  /** Ends an invitation. False if the workspace has none with that id. */
  async revoke(workspaceId: string, id: string): Promise<boolean> {
    const [ended] = await this.#write((db) => [
      db.deleteFrom('invitations').where('workspace_id', '=', workspaceId).where('id', '=', id).compile(),
    ])
    return ended?.count === 1
  }

  /** Ends the invitations of all workspaces. */
  async endEverything(): Promise<void> {
    await this.#write((db) => [db.deleteFrom('invitations').compile()])
  }

  /** Makes the person and the rights, if the invitation is there. */
  #join(db: Kysely<CatalogTables>, hash: string, { userId, name, role, sites }: Taking): CompiledQuery[] {
    const now = this.#now()
    const words = sites === null ? null : joinWords(sites)
    const found = sql`FROM invitations WHERE hash = ${hash} AND expires_at > ${now}`
    const person = sql`INSERT INTO users (id, name, created_at) SELECT ${userId}, ${name}, ${now} ${found}`
    const rights = sql`
      INSERT INTO members (workspace_id, user_id, source, role, sites, expires_at, created_at)
      SELECT workspace_id, ${userId}, ${BY_INVITATION}, ${role}, ${words}, NULL, ${now} ${found}
      ON CONFLICT (workspace_id, user_id, source) DO UPDATE SET role = excluded.role, sites = excluded.sites`
    return [...(name === undefined ? [] : [person.compile(db)]), rights.compile(db)]
  }

  #now(): string {
    return toTimestamp(toSeconds(this.#clock()))
  }
}

function readRow(row: Row): Invitation {
  const { id, hash, role, sites, email } = row
  const times = { expiresAt: row.expires_at, createdAt: row.created_at }
  const names = { workspaceId: row.workspace_id, invitedBy: row.invited_by, email }
  return { id, hash, role, sites: sites === null ? null : splitWords(sites), ...names, ...times }
}
