// People's sessions at the dashboard, and the one-time links that begin them. Only hashes are stored, as for keys. Nothing is
// cached, so a session ended by any process ends at once.

import type { Selectable } from 'kysely'
import { type Clock, toSeconds, toTimestamp } from '../model/clock.js'
import type { OpenDatabase, Write } from './database/database.js'
import type { SqliteStatement } from './sqlite/statement.js'
import type { CatalogTables } from './database/tables.js'

export interface Session {
  id: string
  workspaceId: string
  /** Name of the person, as commits name the author. */
  label: string
  expiresAt: string
  createdAt: string
}

export interface SignInLink {
  /** `hashKey` of its token. */
  hash: string
  workspaceId: string
  label: string
  expiresAt: string
}

/** `hash` is `hashKey` of the secret, which only the browser keeps. */
export type NewSession = Session & { hash: string }

type Row = Selectable<CatalogTables['sessions']>

export class Sessions {
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock
  readonly #byHash: SqliteStatement<Row>

  constructor({ sqlite, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#write = write
    this.#clock = clock
    this.#byHash = sqlite.prepare('SELECT * FROM sessions WHERE hash = ? AND expires_at > ?')
  }

  async addLink({ hash, workspaceId, label, expiresAt }: SignInLink): Promise<void> {
    const row = { hash, workspace_id: workspaceId, label, expires_at: expiresAt }
    await this.#write((db) => [db.insertInto('sign_in_links').values(row).compile()])
  }

  /** Uses up the link. Undefined if there is none with that hash or it has expired; only one of several callers gets it. */
  async takeLink(hash: string): Promise<Pick<SignInLink, 'workspaceId' | 'label'> | undefined> {
    const [taken] = await this.#write((db) => [
      db.deleteFrom('sign_in_links').where('hash', '=', hash).returningAll().compile(),
    ])
    const row = taken?.rows[0]
    if (row === undefined || row.expires_at <= this.#now()) return undefined
    return { workspaceId: row.workspace_id, label: row.label }
  }

  /** Stores a session, and deletes expired sessions and links. */
  async create(session: NewSession): Promise<void> {
    const { id, hash, workspaceId, label, expiresAt, createdAt } = session
    const row = { id, hash, workspace_id: workspaceId, label, expires_at: expiresAt, created_at: createdAt }
    await this.#write((db) => [
      db.deleteFrom('sessions').where('expires_at', '<=', this.#now()).compile(),
      db.deleteFrom('sign_in_links').where('expires_at', '<=', this.#now()).compile(),
      db.insertInto('sessions').values(row).compile(),
    ])
  }

  /** Finds the live session with this hash. Synchronous, as every request of the dashboard asks it. */
  findByHash(hash: string): Session | undefined {
    return this.#byHash.all([hash, this.#now()]).map(readRow)[0]
  }

  /** Ends the session from now on, for every process. */
  async end(hash: string): Promise<void> {
    await this.#write((db) => [db.deleteFrom('sessions').where('hash', '=', hash).compile()])
  }

  /** Ends the sessions of all workspaces, and their sign-in links. */
  async endEverything(): Promise<void> {
    await this.#write((db) => [db.deleteFrom('sessions').compile(), db.deleteFrom('sign_in_links').compile()])
  }

  /** Ends all sessions of the workspace, on all machines. */
  async endAll(workspaceId: string): Promise<void> {
    await this.#write((db) => [db.deleteFrom('sessions').where('workspace_id', '=', workspaceId).compile()])
  }

  #now(): string {
    return toTimestamp(toSeconds(this.#clock()))
  }
}

function readRow(row: Row): Session {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    label: row.label,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  }
}
