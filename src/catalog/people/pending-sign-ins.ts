// Sign-ins that were begun at an identity provider and are not finished, and the logout tokens that were used: each works once, at
// whichever node. Only hashes of the secrets are stored.

import { type Clock, toSeconds } from '../../model/clock.js'
import { hashKey } from '../../model/key-format.js'
import { isTaken, type OpenDatabase, type Write } from '../database/database.js'
import type { CatalogTables } from '../database/tables.js'

const SIGN_IN = 'sign-in'
const LOGOUT = 'logout'

/** Facts about a sign-in between its beginning and its end. */
export interface PendingSignIn {
  /** The id of the provider. */
  provider: string
  nonce: string
  /** RFC 7636. */
  verifier: string
  /** The path to which the person returns. */
  to: string
  /** The end that it serves: to come in, to add an identity to one's account, or to prove again who one is. */
  purpose: 'enter' | 'link' | 'prove'
  /** `hashKey` of the browser's secret. */
  browser: string
  /** `hashKey` of the session of the person who links or proves. */
  session?: string
  invitation?: string
  /** Seconds since the epoch. */
  begunAt: number
}

export class PendingSignIns {
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock

  constructor({ write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#write = write
    this.#clock = clock
  }

  /** Stores a sign-in for some seconds. `state` is its secret. */
  async add(state: string, pending: PendingSignIn, seconds: number): Promise<void> {
    await this.#insert(SIGN_IN, state, JSON.stringify(pending), seconds)
  }

  /** Uses it up. Undefined if there is none or its time is over; only one of several callers gets it. */
  async take(state: string): Promise<PendingSignIn | undefined> {
    const [taken] = await this.#write((db) => [
      db
        .deleteFrom('oauth_items')
        .where('kind', '=', SIGN_IN)
        .where('hash', '=', hashKey(state))
        .returningAll()
        .compile(),
    ])
    const row = taken?.rows[0]
    if (row === undefined || (row.expires_at ?? 0) <= toSeconds(this.#clock())) return undefined
    return JSON.parse(row.payload) as PendingSignIn
  }

  /** Returns whether the logout token with this id comes for the first time. It is remembered for some seconds. */
  async isFirst(id: string, seconds: number): Promise<boolean> {
    try {
      await this.#insert(LOGOUT, id, '{}', seconds)
      return true
    } catch (error) {
      if (isTaken(error)) return false
      throw error
    }
  }

  /** Adds an item, and deletes those whose time is over. */
  async #insert(kind: string, secret: string, payload: string, seconds: number): Promise<void> {
    const now = toSeconds(this.#clock())
    const row = { kind, hash: hashKey(secret), payload, expires_at: now + seconds }
    await this.#write((db) => [
      db.deleteFrom('oauth_items').where('kind', 'in', [SIGN_IN, LOGOUT]).where('expires_at', '<=', now).compile(),
      db.insertInto('oauth_items').values(row).compile(),
    ])
  }
}
