// The agents that people connected: one row for each consent. An agent proves itself by tokens, of which only hashes are stored. Nothing is
// cached, so an agent disconnected by any process is out with its next request.

import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../model/rights/scopes.js'
import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import { recordUses } from '../database/last-uses.js'
import { joinWords, splitScopes, splitWords } from '../database/word-list.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import { readPayload } from './oauth-items.js'

type AgentRow = Row<'agents'>

/** An agent that is connected. */
export interface Agent extends Omit<AgentRow, 'revokedAt' | 'scopes' | 'sites'> {
  scopes: Scope[]
  sites: string[] | null
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

/** The fields of an access token that count here. */
interface TokenPayload {
  aud?: string
  scope?: string
  extra?: { origins?: string[] }
}

/** Time that the row of a disconnected agent stays. */
const KEPT_SECONDS = 90 * 86_400

export class Agents {
  readonly #database: CatalogDatabase
  readonly #byToken: SqliteStatement<AgentRow & { payload: string }>
  readonly #byId: SqliteStatement<AgentRow>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#byId = database.prepare(
      'SELECT * FROM agents WHERE id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
    )
    this.#byToken = database.prepare(`
      SELECT agents.*, oauth_items.payload FROM oauth_items JOIN agents ON agents.id = oauth_items.agent_id
      WHERE kind = 'AccessToken' AND hash = ?1 AND oauth_items.expires_at > ?2
      AND revoked_at IS NULL AND (agents.expires_at IS NULL OR agents.expires_at > ?3)`)
  }

  /** Stores an agent, and deletes those that ended long ago. */
  async create(agent: Omit<Agent, 'lastUsedAt'>): Promise<void> {
    const row = { ...agent, scopes: joinWords(agent.scopes), sites: joinWords(agent.sites) }
    const latest = this.#database.now(KEPT_SECONDS)
    await this.#database.write((db) => [
      db.deleteFrom('agents').where((old) => old.or([old('revokedAt', '<=', latest), old('expiresAt', '<=', latest)])),
      db.insertInto('agents').values(row),
    ])
  }

  /** Finds the agent whose live access token has this hash. Synchronous, as every request asks it. */
  findByToken(hash: string): AgentToken | undefined {
    const row = this.#byToken.first([hash, this.#database.seconds(), this.#database.now()])
    if (row === undefined) return undefined
    const { aud = '', scope = '', extra } = readPayload(row.payload, '') as TokenPayload
    return { agent: readAgent(row), resource: aud, scopes: splitScopes(scope), origins: extra?.origins ?? [] }
  }

  /** Finds an agent of any workspace that is connected. Synchronous, as requests of visitors ask it. */
  findConnected(id: string): Agent | undefined {
    const row = this.#byId.first([id, this.#database.now()])
    return row && readAgent(row)
  }

  /** Lists the connected agents of a workspace, or those of one person there, the oldest first. */
  async list(workspaceId: string, userId?: string): Promise<Agent[]> {
    let query = this.#database.db
      .selectFrom('agents')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('revokedAt', 'is', null)
      .where((row) => row.or([row('expiresAt', 'is', null), row('expiresAt', '>', this.#database.now())]))
    if (userId !== undefined) query = query.where('userId', '=', userId)
    return (await query.orderBy('createdAt').orderBy('id').execute()).map(readAgent)
  }

  /** Ends the agent with its tokens, for every process. Undefined if it had ended before. */
  async revoke(id: string): Promise<Agent | undefined> {
    const [revoked] = await this.#database.write<AgentRow>(() => this.#revokeWhere(sql`id = ${id}`))
    return revoked?.rows.map(readAgent)[0]
  }

  /** Ends all agents of a person in the workspace. */
  async revokeAll(workspaceId: string, userId: string): Promise<void> {
    await this.#database.write(() => this.#revokeWhere(sql`workspace_id = ${workspaceId} AND user_id = ${userId}`))
  }

  /** Ends all agents of all workspaces, and everything that waits for consent. */
  async endEverything(): Promise<void> {
    await this.#database.write((db) => [
      ...this.#revokeWhere(sql`1 = 1`),
      db.deleteFrom('oauthItems').where('kind', '!=', 'Client'),
    ])
  }

  /** Stores when each agent was last used, all in one transaction. Never moves a time back. */
  async touch(lastUses: ReadonlyMap<string, string>): Promise<void> {
    await this.#database.write(() => recordUses('agents', lastUses))
  }

  #revokeWhere(isMeant: RawBuilder<unknown>): RawBuilder<AgentRow>[] {
    return [
      sql<AgentRow>`UPDATE agents SET revoked_at = ${this.#database.now()} WHERE revoked_at IS NULL AND ${isMeant} RETURNING *`,
      sql<AgentRow>`DELETE FROM oauth_items WHERE agent_id IN (SELECT id FROM agents WHERE ${isMeant})`,
    ]
  }
}

function readAgent(row: AgentRow): Agent {
  const { id, workspaceId, userId, clientId, clientName, expiresAt, lastUsedAt, createdAt, device } = row
  const [scopes, sites] = [splitScopes(row.scopes), splitWords(row.sites)]
  return { id, workspaceId, userId, clientId, clientName, scopes, sites, expiresAt, lastUsedAt, createdAt, device }
}
