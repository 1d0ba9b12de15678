// Invitations into workspaces: links that work once. Only hashes are stored. Nothing is cached, so one that is revoked by any process ends
// at once.

import { type RawBuilder, sql } from 'kysely'
import type { Rights } from '../../model/rights/roles.js'
import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import { joinWords, splitWords } from '../database/word-list.js'
import type { SqliteStatement } from '../sqlite/statement.js'

/** The source of the rights that an invitation gives. */
export const BY_INVITATION = 'invitation'

type InvitationRow = Row<'invitations'>

/** `hash` is `hashKey` of the link's token. */
export type Invitation = Omit<InvitationRow, 'sites'> & Rights

/** The person who takes an invitation, with all rights that invitations then give. */
export interface Taking extends Rights {
  userId: string
  /** The name of a new person. */
  name?: string
}

export class Invitations {
  readonly #database: CatalogDatabase
  readonly #byHash: SqliteStatement<InvitationRow>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#byHash = database.prepare('SELECT * FROM invitations WHERE hash = ? AND expires_at > ?')
  }

  /** Stores an invitation, and deletes expired ones. */
  async create(invitation: Invitation): Promise<void> {
    const row = { ...invitation, sites: joinWords(invitation.sites) }
    await this.#database.write((db) => [
      db.deleteFrom('invitations').where('expiresAt', '<=', this.#database.now()),
      db.insertInto('invitations').values(row),
    ])
  }

  /** Finds the invitation that can still be taken by this token. */
  findByHash(hash: string): Invitation | undefined {
    const row = this.#byHash.first([hash, this.#database.now()])
    return row && readInvitation(row)
  }

  /** Finds an invitation of the workspace, also an expired one. */
  async find(workspaceId: string, id: string): Promise<Invitation | undefined> {
    const row = await this.#database.db
      .selectFrom('invitations')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst()
    return row && readInvitation(row)
  }

  /** Lists the invitations that can be taken, the oldest first. */
  async list(workspaceId: string): Promise<Invitation[]> {
    const rows = await this.#database.db
      .selectFrom('invitations')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('expiresAt', '>', this.#database.now())
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
    return rows.map(readInvitation)
  }

  /** Uses up the invitation, and makes the person a member. False if it was taken or has ended: only one of several callers gets it. */
  async take(hash: string, taking: Taking): Promise<boolean> {
    const written = await this.#database.write((db) => [
      // The lock makes others wait, who then find no invitation.
      sql`UPDATE invitations SET hash = hash WHERE hash = ${hash}`,
      ...this.#join(hash, taking),
      db.deleteFrom('invitations').where('hash', '=', hash).where('expiresAt', '>', this.#database.now()),
    ])
    return written.at(-1)?.count === 1
  }

  /** Ends an invitation. False if the workspace has none with that id. */
  async revoke(workspaceId: string, id: string): Promise<boolean> {
    const [ended] = await this.#database.write((db) => [
      db.deleteFrom('invitations').where('workspaceId', '=', workspaceId).where('id', '=', id),
    ])
    return ended?.count === 1
  }

  /** Ends the invitations of all workspaces. */
  async endEverything(): Promise<void> {
    await this.#database.write((db) => [db.deleteFrom('invitations')])
  }

  /** Makes the person and the rights, if the invitation is there. */
  #join(hash: string, { userId, name, role, sites }: Taking): RawBuilder<unknown>[] {
    const now = this.#database.now()
    const found = sql`FROM invitations WHERE hash = ${hash} AND expires_at > ${now}`
    const person = sql`INSERT INTO users (id, name, created_at) SELECT ${userId}, ${name}, ${now} ${found}`
    const rights = sql`
      INSERT INTO members (workspace_id, user_id, source, role, sites, expires_at, created_at)
      SELECT workspace_id, ${userId}, ${BY_INVITATION}, ${role}, ${joinWords(sites)}, NULL, ${now} ${found}
      ON CONFLICT (workspace_id, user_id, source) DO UPDATE SET role = excluded.role, sites = excluded.sites`
    return [...(name === undefined ? [] : [person]), rights]
  }
}

function readInvitation(row: InvitationRow): Invitation {
  return { ...row, sites: splitWords(row.sites) }
}
