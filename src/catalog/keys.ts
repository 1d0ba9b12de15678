// API keys: their hashes and what they allow. Nothing about a key is cached, so a revocation by any process counts at once.

import { type CompiledQuery, type Kysely, type Selectable, sql } from 'kysely'
import { type Clock, toSeconds, toTimestamp } from '../model/clock.js'
import { isToolset, type Principal, type Toolset } from '../model/principal.js'
import type { Scope } from '../model/rights/scopes.js'
import type { OpenDatabase, Write } from './database/database.js'
import type { SqliteStatement } from './sqlite/statement.js'
import { isAfter } from './row-age.js'
import type { CatalogTables } from './database/tables.js'
import { joinWords, splitScopes, splitWords } from './database/word-list.js'

export interface KeyOffer {
  /** The id of the person who had the key. */
  from: string
  /** RFC 3339. */
  until: string
}

export interface ApiKey {
  id: string
  workspaceId: string
  label: string
  /** The first characters, to tell the key from others. */
  prefix: string
  scopes: Scope[]
  /** Ids of the only sites it may see; null means all of its workspace. */
  sites: string[] | null
  /** Patterns of the only paths that it may write to; null means all. */
  paths: string[] | null
  /** Origins of the only web pages that may use it; null means those that the service allows to every key. */
  origins: string[] | null
  /** The tools that it is offered if a request names none; null means all. */
  toolset: Toolset | null
  expiresAt: string | null
  revokedAt: string | null
  /** The principal that made it; null for keys made before this was recorded. */
  mintedBy: { kind: Principal['kind']; id: string } | null
  /** The person whose rights bound the key; null for keys of the workspace. */
  userId: string | null
  /** Set if the key is offered to its person, who had none like it: no secret opens it. Null for all other keys. */
  offer: KeyOffer | null
  /** Last use, to the minute: uses are written in batches. */
  lastUsedAt: string | null
  createdAt: string
}

/** `hash` is `hashKey` of the key. The key itself is shown to its owner and never kept. */
export type NewApiKey = Omit<ApiKey, 'revokedAt' | 'lastUsedAt' | 'userId' | 'offer'> & {
  hash: string
  userId?: string | null
}

/** Whether the key opens anything at this time. */
export function isUsable(key: ApiKey, now: Date): boolean {
  return (
    key.revokedAt === null &&
    key.offer === null &&
    (key.expiresAt === null || now.getTime() < Date.parse(key.expiresAt))
  )
}

type Row = Selectable<CatalogTables['api_keys']>

/** Time that the row of a revoked key stays. */
const KEPT_SECONDS = 90 * 24 * 3600

export class Keys {
  readonly #db: OpenDatabase<CatalogTables>['db']
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock
  readonly #byHash: SqliteStatement<Row>
  readonly #byId: SqliteStatement<Row>

  constructor({ db, sqlite, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#db = db
    this.#write = write
    this.#clock = clock
    this.#byHash = sqlite.prepare('SELECT * FROM api_keys WHERE hash = ?')
    this.#byId = sqlite.prepare('SELECT * FROM api_keys WHERE id = ?')
  }

  /** Stores a key, and deletes those that were revoked long ago. */
  async create(key: NewApiKey): Promise<ApiKey> {
    const row = {
      id: key.id,
      workspace_id: key.workspaceId,
      label: key.label,
      prefix: key.prefix,
      hash: key.hash,
      scopes: joinWords(key.scopes),
      sites: key.sites === null ? null : joinWords(key.sites),
      paths: key.paths === null ? null : JSON.stringify(key.paths),
      origins: key.origins === null ? null : joinWords(key.origins),
      toolset: key.toolset,
      expires_at: key.expiresAt,
      revoked_at: null,
      minted_by: key.mintedBy && `${key.mintedBy.kind} ${key.mintedBy.id}`,
      user_id: key.userId ?? null,
      offered_until: null,
      offered_from: null,
      last_used_at: null,
      created_at: key.createdAt,
    }
    await this.#write((db) => [...this.#deleteLongRevoked(db), db.insertInto('api_keys').values(row).compile()])
    return readKey(row)
  }

  /** Deletes long ended offers too. Keeps a key that made others, so that all of them can still be revoked together. */
  #deleteLongRevoked(db: Kysely<CatalogTables>): CompiledQuery[] {
    const latest = toTimestamp(toSeconds(this.#clock()) - KEPT_SECONDS)
    const makers = db.selectFrom('api_keys').select('minted_by').where('minted_by', 'is not', null)
    const ended = db
      .selectFrom('api_keys')
      .select('id')
      .where((row) => row.or([row('revoked_at', '<=', latest), row('offered_until', '<=', latest)]))
      .where(sql<string>`'key ' || id`, 'not in', makers)
    return [
      db.deleteFrom('links').where('key_id', 'in', ended).compile(),
      db.deleteFrom('api_keys').where('id', 'in', ended).compile(),
    ]
  }

  /** Finds the key with this hash in any state: check `isUsable`. Synchronous, as every request asks it. */
  findByHash(hash: string): ApiKey | undefined {
    const row = this.#byHash.first([hash])
    return row && readKey(row)
  }

  /** Finds a key of any workspace in any state. Synchronous, as requests of visitors ask it. */
  findById(id: string): ApiKey | undefined {
    const row = this.#byId.first([id])
    return row && readKey(row)
  }

  /**
   * Lists the workspace's keys that are not revoked, also expired ones and open offers, oldest first: all, or at most `count` after one
   * (`ageOf`).
   */
  async list(workspaceId: string, { after = '', count }: { after?: string; count?: number } = {}): Promise<ApiKey[]> {
    let query = this.#db
      .selectFrom('api_keys')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('revoked_at', 'is', null)
      .where((row) => row.or([row('offered_until', 'is', null), row('offered_until', '>', this.#now())]))
      .where(isAfter(after))
      .orderBy('created_at')
      .orderBy('id')
    if (count !== undefined) query = query.limit(count)
    return (await query.execute()).map(readKey)
  }

  /** Finds a key of the workspace, in any state. */
  async find(workspaceId: string, id: string): Promise<ApiKey | undefined> {
    const row = await this.#db
      .selectFrom('api_keys')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst()
    return row && readKey(row)
  }

  /** Revokes every key that this key made, and all that those made, and so on. Returns their ids. */
  async revokeMintedBy(workspaceId: string, id: string): Promise<string[]> {
    const revokedAt = this.#now()
    const [revoked] = await this.#write<{ id: string }>((db) => [
      sql<{ id: string }>`
      WITH RECURSIVE minted (id) AS (
        SELECT id FROM api_keys WHERE workspace_id = ${workspaceId} AND minted_by = ${`key ${id}`}
        UNION
        SELECT key.id FROM api_keys AS key JOIN minted ON key.minted_by = 'key ' || minted.id
        WHERE key.workspace_id = ${workspaceId}
      )
      UPDATE api_keys SET revoked_at = ${revokedAt}
      WHERE id IN (SELECT id FROM minted) AND revoked_at IS NULL RETURNING id`.compile(db),
    ])
    return (revoked?.rows ?? []).map((row) => row.id)
  }

  /** Revokes the key from now on, for every process. False if the workspace has no such key, or it was revoked before. */
  async revoke(workspaceId: string, id: string): Promise<boolean> {
    const revokedAt = this.#now()
    const [revoked] = await this.#write((db) => [
      db
        .updateTable('api_keys')
        .set({ revoked_at: revokedAt })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .compile(),
    ])
    return revoked?.count === 1
  }

  /** Lets the key end at `expiresAt`, unless it ends sooner. False if the workspace has no such key, or it was revoked. */
  async expire(workspaceId: string, id: string, expiresAt: string): Promise<boolean> {
    const [expired] = await this.#write((db) => [
      db
        .updateTable('api_keys')
        .set((row) => ({
          expires_at: row
            .case()
            .when('expires_at', '<', expiresAt)
            .then(row.ref('expires_at'))
            .else(row.val(expiresAt))
            .end(),
        }))
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .compile(),
    ])
    return expired?.count === 1
  }

  /** Stores when each key was last used, all in one transaction: one sync of the disk. Never moves a time back. */
  async touch(lastUses: ReadonlyMap<string, string>): Promise<void> {
    await this.#write((db) => Array.from(lastUses, ([id, at]) => recordUse(db, id, at)))
  }

  #now(): string {
    return toTimestamp(toSeconds(this.#clock()))
  }
}

function recordUse(db: Kysely<CatalogTables>, id: string, at: string): CompiledQuery {
  return db
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', at)]))
    .compile()
}

/** Reads a row of `api_keys`. */
export function readKey(row: Row): ApiKey {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    label: row.label,
    prefix: row.prefix,
    scopes: splitScopes(row.scopes),
    sites: row.sites === null ? null : splitWords(row.sites),
    // A list that cannot be read allows nothing.
    paths: row.paths === null ? null : readPaths(row.paths),
    origins: row.origins === null ? null : splitWords(row.origins),
    // A toolset of a newer version is ignored.
    toolset: row.toolset !== null && isToolset(row.toolset) ? row.toolset : null,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    mintedBy: readMinter(row.minted_by),
    userId: row.user_id,
    offer: row.offered_until === null ? null : { from: row.offered_from ?? '', until: row.offered_until },
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
  }
}

function readPaths(text: string): string[] {
  try {
    const paths = JSON.parse(text) as unknown
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : []
  } catch {
    return []
  }
}

function readMinter(minter: string | null): ApiKey['mintedBy'] {
  if (minter === null) return null
  const space = minter.indexOf(' ')
  return { kind: minter.slice(0, space) as Principal['kind'], id: minter.slice(space + 1) }
}
