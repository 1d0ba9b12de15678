// The state of the authorization server: registered clients, requests for consent, codes and tokens. Their ids are secrets, so only hashes
// are stored, and the payload never holds the id. Nothing is cached, so what one process revokes has ended for all.

import type { CatalogDatabase, Row } from '../database/catalog-database.js'
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

type ItemRow = Row<'oauthItems'>

/** Stands for the id in the payload. JSON escapes this character, so no client can write it. */
const ID_MARK = '\u0001'
/** Time that a used token stays, so that its next use is noticed. */
const KEPT_SECONDS = 7 * 86_400

export class OAuthItems {
  readonly #database: CatalogDatabase
  readonly #byHash: SqliteStatement<ItemRow>
  readonly #byUserCode: SqliteStatement<ItemRow>

  constructor(database: CatalogDatabase) {
    this.#database = database
    const isLive = '(expires_at IS NULL OR expires_at > ?1)'
    this.#byHash = database.prepare(`SELECT * FROM oauth_items WHERE kind = ?2 AND hash = ?3 AND ${isLive}`)
    this.#byUserCode = database.prepare(`SELECT * FROM oauth_items WHERE kind = ?2 AND user_code = ?3 AND ${isLive}`)
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
    const now = this.#database.seconds()
    const changed = {
      payload: JSON.stringify(payload).replaceAll(id, ID_MARK),
      agentId,
      expiresAt,
      ...(userCodeHash !== undefined && { userCode: userCodeHash }),
      ...(askedFrom === null && { askedFrom: null }),
    }
    const row = { kind, hash, askedFrom, madeAt: now, ...changed }
    await this.#database.write((db) => [
      ...makeRoom(db, now, askedFrom),
      db
        .insertInto('oauthItems')
        .values(row)
        .onConflict((conflict) => {
          const sameId = conflict.columns(['kind', 'hash'])
          return replaces ? sameId.doUpdateSet(changed) : sameId.doNothing()
        }),
    ])
  }

  find({ kind, id, hash }: ItemName): OAuthItem | undefined {
    return readItem(this.#byHash.first([this.#database.seconds(), kind, hash]), id)
  }

  /** Finds the item by its user code, without its id. */
  findByUserCode(kind: string, userCodeHash: string): OAuthItem | undefined {
    return readItem(this.#byUserCode.first([this.#database.seconds(), kind, userCodeHash]), '')
  }

  /** Marks the item as used. True for its first use, and for those within so many seconds of it. */
  async consume({ kind, hash }: ItemName, graceSeconds = 0): Promise<boolean> {
    const now = this.#database.seconds()
    const [consumed] = await this.#database.write((db) => [
      db
        .updateTable('oauthItems')
        .set((row) => ({
          consumedAt: row.fn.coalesce('consumedAt', row.val(now)),
          expiresAt: row
            .case()
            .when('expiresAt', '<', now + KEPT_SECONDS)
            .then(row.ref('expiresAt'))
            .else(now + KEPT_SECONDS)
            .end(),
        }))
        .where('kind', '=', kind)
        .where('hash', '=', hash)
        .where((row) => row.or([row('consumedAt', 'is', null), row('consumedAt', '>', now - graceSeconds)])),
    ])
    return consumed?.count === 1
  }

  async delete({ kind, hash }: ItemName): Promise<void> {
    await this.#database.write((db) => [db.deleteFrom('oauthItems').where('kind', '=', kind).where('hash', '=', hash)])
  }
}

function readItem(row: ItemRow | undefined, id: string): OAuthItem | undefined {
  if (row === undefined) return undefined
  return { hash: row.hash, payload: readPayload(row.payload, id), consumedAt: row.consumedAt }
}

/** Reads a stored payload, with the id in its places. */
export function readPayload(text: string, id: string): Record<string, unknown> {
  return JSON.parse(text.replaceAll(ID_MARK, id)) as Record<string, unknown>
}
