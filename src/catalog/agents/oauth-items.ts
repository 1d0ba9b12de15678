// The state of the authorization server: registered clients, requests for consent, codes and tokens. Their ids are secrets, so only hashes
// are stored, and the payload never holds the id. Nothing is cached, so what one process revokes has ended for all.

import type { Selectable } from 'kysely'
import { type Clock, toSeconds } from '../../model/clock.js'
import type { OpenDatabase, Write } from '../database/database.js'
import type { CatalogTables } from '../database/tables.js'
import { makeRoom } from '../database/unfinished-rows.js'
import type { SqliteStatement } from '../sqlite/statement.js'

/** Names an item: `hash` is `hashKey` of its id. */
export interface ItemName {
  kind: string
  id: string
  hash: string
}

export interface NewOAuthItem extends ItemName {
  payload: object
  /** The agent that it belongs to, and ends with. */
  agentId: string | null
  /** `hashKey` of the code that a person types; undefined keeps the one it has. */
  userCodeHash?: string | undefined
  /** Seconds since the epoch; null: never. */
  expiresAt: number | null
  /** The network of the address that asks for it; null once somebody with an account stands behind it. */
  askedFrom: string | null
}

export interface OAuthItem {
  hash: string
  payload: Record<string, unknown>
  /** Seconds since the epoch. */
  consumedAt: number | null
}

type Row = Selectable<CatalogTables['oauth_items']>

/** Stands for the id in the payload. JSON escapes this character, so no client can write it. */
const ID_MARK = '\u0001'
/** Time that a used token stays, so that its next use is noticed. */
const KEPT_SECONDS = 7 * 86_400

export class OAuthItems {
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock
  readonly #byHash: SqliteStatement<Row>
  readonly #byUserCode: SqliteStatement<Row>

  constructor({ sqlite, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#write = write
    this.#clock = clock
    const isLive = '(expires_at IS NULL OR expires_at > ?1)'
    this.#byHash = sqlite.prepare(`SELECT * FROM oauth_items WHERE kind = ?2 AND hash = ?3 AND ${isLive}`)
    this.#byUserCode = sqlite.prepare(`SELECT * FROM oauth_items WHERE kind = ?2 AND user_code = ?3 AND ${isLive}`)
  }

  /** Stores the item in place of one with its id. */
  async put(item: NewOAuthItem): Promise<void> {
    await this.#insert(item, true)
  }

  /** Stores the item unless there is one with its id. */
  async add(item: NewOAuthItem): Promise<void> {
    await this.#insert(item, false)
  }

  async #insert(item: NewOAuthItem, replaces: boolean): Promise<void> {
    const { kind, id, hash, payload, agentId, userCodeHash, expiresAt, askedFrom } = item
    const now = this.#now()
    const changed = {
      payload: JSON.stringify(payload).replaceAll(id, ID_MARK),
      agent_id: agentId,
      expires_at: expiresAt,
      ...(userCodeHash !== undefined && { user_code: userCodeHash }),
      ...(askedFrom === null && { asked_from: null }),
    }
    const row = { kind, hash, asked_from: askedFrom, made_at: now, ...changed }
    await this.#write((db) => [
      ...makeRoom(db, now, askedFrom),
      db
        .insertInto('oauth_items')
        .values(row)
        .onConflict((conflict) => {
          const sameId = conflict.columns(['kind', 'hash'])
          return replaces ? sameId.doUpdateSet(changed) : sameId.doNothing()
        })
        .compile(),
    ])
  }

  find({ kind, id, hash }: ItemName): OAuthItem | undefined {
    return readItem(this.#byHash.first([this.#now(), kind, hash]), id)
  }

  /** Finds the item by its user code, without its id. */
  findByUserCode(kind: string, userCodeHash: string): OAuthItem | undefined {
    return readItem(this.#byUserCode.first([this.#now(), kind, userCodeHash]), '')
  }

  /** Marks the item as used. True for its first use, and for those within so many seconds of it. */
  async consume({ kind, hash }: ItemName, graceSeconds = 0): Promise<boolean> {
    const now = this.#now()
    const [consumed] = await this.#write((db) => [
      db
        .updateTable('oauth_items')
        .set((row) => ({
          consumed_at: row.fn.coalesce('consumed_at', row.val(now)),
          expires_at: row
            .case()
            .when('expires_at', '<', now + KEPT_SECONDS)
            .then(row.ref('expires_at'))
            .else(now + KEPT_SECONDS)
            .end(),
        }))
        .where('kind', '=', kind)
        .where('hash', '=', hash)
        .where((row) => row.or([row('consumed_at', 'is', null), row('consumed_at', '>', now - graceSeconds)]))
        .compile(),
    ])
    return consumed?.count === 1
  }

  async delete({ kind, hash }: ItemName): Promise<void> {
    await this.#write((db) => [
      db.deleteFrom('oauth_items').where('kind', '=', kind).where('hash', '=', hash).compile(),
    ])
  }

  #now(): number {
    return toSeconds(this.#clock())
  }
}

function readItem(row: Row | undefined, id: string): OAuthItem | undefined {
  if (row === undefined) return undefined
  return { hash: row.hash, payload: readPayload(row.payload, id), consumedAt: row.consumed_at }
}

/** Reads a stored payload, with the id in its places. */
export function readPayload(text: string, id: string): Record<string, unknown> {
  return JSON.parse(text.replaceAll(ID_MARK, id)) as Record<string, unknown>
}
