// The agents that people connected: one row for each consent. An agent proves itself by tokens, of which only hashes are stored. Nothing is
// cached, so an agent disconnected by any process is out with its next request.

import { type CompiledQuery, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import type { Scope } from '../../model/rights/scopes.js'
import type { OpenDatabase, Write } from '../database/database.js'
import type { CatalogTables } from '../database/tables.js'
import { joinWords, splitScopes, splitWords } from '../database/word-list.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import { readPayload } from './oauth-items.js'

export interface Agent {
  id: string
  workspaceId: string
  /** The person for whom it acts. */
  userId: string
  /** A registered id, or the URL of the client's metadata. */
  clientId: string
  /** The client's own claim. */
  clientName: string
  scopes: Scope[]
  /** Ids of the only sites it may use; null means all of its person's. */
  sites: string[] | null
  expiresAt: string | null
  /** Last use, to the minute: uses are written in batches. */
  lastUsedAt: string | null
  createdAt: string
  /** Browser and system with which its person connected it; null if unknown. */
  device: string | null
}

/** An agent with what one of its tokens allows. */
export interface AgentToken {
  agent: Agent
  /** The URL of the only resource that takes the token. */
  resource: string
  scopes: Scope[]
  /** Origins of the web pages of its program. */
  origins: string[]
}

type Row = Selectable<CatalogTables['agents']>

/** The fields of an access token that count here. */
interface TokenPayload {
  aud?: string
  scope?: string
  extra?: { origins?: string[] }
}

/** Time that the row of a disconnected agent stays. */
const KEPT_SECONDS = 90 * 86_400

export class Agents {
  readonly #db: OpenDatabase<CatalogTables>['db']
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock
  readonly #byToken: SqliteStatement<Row & { payload: string }>
  readonly #byId: SqliteStatement<Row>

  constructor({ db, sqlite, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#db = db
    this.#write = write
    this.#clock = clock
    this.#byId = sqlite.prepare(
      'SELECT * FROM agents WHERE id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
    )
    this.#byToken = sqlite.prepare(`
      SELECT agents.*, oauth_items.payload FROM oauth_items JOIN agents ON agents.id = oauth_items.agent_id
      WHERE kind = 'AccessToken' AND hash = ?1 AND oauth_items.expires_at > ?2
      AND revoked_at IS NULL AND (agents.expires_at IS NULL OR agents.expires_at > ?3)`)
  }

  /** Stores an agent, and deletes those that ended long ago. */
  async create(agent: Omit<Agent, 'lastUsedAt'>): Promise<void> {
    const row = {
      id: agent.id,
      workspace_id: agent.workspaceId,
      user_id: agent.userId,
      client_id: agent.clientId,
      client_name: agent.clientName,
      scopes: joinWords(agent.scopes),
      sites: agent.sites === null ? null : joinWords(agent.sites),
      expires_at: agent.expiresAt,
      revoked_at: null,
      last_used_at: null,
      created_at: agent.createdAt,
      device: agent.device,
    }
    const latest = toTimestamp(toSeconds(this.#clock()) - KEPT_SECONDS)
    await this.#write((db) => [
      db
        .deleteFrom('agents')
        .where((old) => old.or([old('revoked_at', '<=', latest), old('expires_at', '<=', latest)]))
        .compile(),
      db.insertInto('agents').values(row).compile(),
    ])
  }

  /** Finds the agent whose live access token has this hash. Synchronous, as every request asks it. */
  findByToken(hash: string): AgentToken | undefined {
    const now = toSeconds(this.#clock())
    const row = this.#byToken.first([hash, now, toTimestamp(now)])
    if (row === undefined) return undefined
    const { aud = '', scope = '', extra } = readPayload(row.payload, '') as TokenPayload
    return { agent: readAgent(row), resource: aud, scopes: splitScopes(scope), origins: extra?.origins ?? [] }
  }

  /** Finds an agent of any workspace that is connected. Synchronous, as requests of visitors ask it. */
  findConnected(id: string): Agent | undefined {
    const row = this.#byId.first([id, this.#now()])
    return row && readAgent(row)
  }

  /** Lists the connected agents of a workspace, or those of one person there, the oldest first. */
  async list(workspaceId: string, userId?: string): Promise<Agent[]> {
    let query = this.#db
      .selectFrom('agents')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('revoked_at', 'is', null)
      .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', this.#now())]))
    if (userId !== undefined) query = query.where('user_id', '=', userId)
    return (await query.orderBy('created_at').orderBy('id').execute()).map(readAgent)
  }

  /** Ends the agent with its tokens, for every process. Undefined if it had ended before. */
  async revoke(id: string): Promise<Agent | undefined> {
    const [revoked] = await this.#write<Row>((db) => this.#revokeWhere(db, sql`id = ${id}`))
    return revoked?.rows.map(readAgent)[0]
  }

  /** Ends all agents of a person in the workspace. */
  async revokeAll(workspaceId: string, userId: string): Promise<void> {
    await this.#write((db) => this.#revokeWhere(db, sql`workspace_id = ${workspaceId} AND user_id = ${userId}`))
  }

  /** Ends all agents of all workspaces, and everything that waits for consent. */
  async endEverything(): Promise<void> {
    await this.#write((db) => [
      ...this.#revokeWhere(db, sql`1 = 1`),
      db.deleteFrom('oauth_items').where('kind', '!=', 'Client').compile(),
    ])
  }

  /** Stores when each agent was last used, all in one transaction. Never moves a time back. */
  async touch(lastUses: ReadonlyMap<string, string>): Promise<void> {
    await this.#write((db) =>
      Array.from(lastUses, ([id, at]) =>
        db
          .updateTable('agents')
          .set({ last_used_at: at })
          .where('id', '=', id)
          .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', at)]))
          .compile(),
      ),
    )
  }

  #revokeWhere(db: Kysely<CatalogTables>, isMeant: RawBuilder<unknown>): CompiledQuery<Row>[] {
    return [
      sql<Row>`UPDATE agents SET revoked_at = ${this.#now()} WHERE revoked_at IS NULL AND ${isMeant} RETURNING *`.compile(
        db,
      ),
      sql<Row>`DELETE FROM oauth_items WHERE agent_id IN (SELECT id FROM agents WHERE ${isMeant})`.compile(db),
    ]
  }

  #now(): string {
    return toTimestamp(toSeconds(this.#clock()))
  }
}

function readAgent(row: Row): Agent {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    userId: row.user_id,
    clientId: row.client_id,
    clientName: row.client_name,
    scopes: splitScopes(row.scopes),
    sites: row.sites === null ? null : splitWords(row.sites),
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
    device: row.device,
  }
}
