// Sign-ins that were begun and are not finished: at an identity provider, or with a passkey that was asked. Also the logout tokens that
// were used. Each works once, at whichever node. Only hashes of their secrets are stored, and what must be remembered is sealed with them.

import { createHash } from 'node:crypto'
import { hashKey } from '../../model/key-format.js'
import { SecretBox } from '../database/secret-box.js'
import type { CatalogDatabase } from '../database/catalog-database.js'
import { isTaken } from '../database/database.js'
import { makeRoom } from '../database/unfinished-rows.js'

const SIGN_IN = 'sign-in'
const LOGOUT = 'logout'
const QUESTION = 'passkey'

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

/** How long something is remembered, and the network that asked for it; null for a person who is signed in. */
export interface Remembered {
  seconds: number
  askedFrom: string | null
}

interface Item {
  kind: string
  secret: string
  payload: string
}

export class PendingSignIns {
  readonly #database: CatalogDatabase

  constructor(database: CatalogDatabase) {
    this.#database = database
  }

  /** Stores a sign-in. `state` is its secret. */
  async add(state: string, pending: PendingSignIn, remembered: Remembered): Promise<void> {
    const payload = boxOf(state).seal(JSON.stringify(pending), SIGN_IN)
    await this.#insert({ kind: SIGN_IN, secret: state, payload }, remembered)
  }

  /** Uses it up. Undefined if there is none or its time is over; only one of several callers gets it. */
  async take(state: string): Promise<PendingSignIn | undefined> {
    const payload = await this.#remove(SIGN_IN, state)
    const opened = payload === undefined ? undefined : boxOf(state).open(payload, SIGN_IN)
    return opened === undefined ? undefined : (JSON.parse(opened) as PendingSignIn)
  }

  /** Stores a question to a passkey. `challenge` is its secret. */
  async ask(challenge: string, remembered: Remembered): Promise<void> {
    await this.#insert({ kind: QUESTION, secret: challenge, payload: '{}' }, remembered)
  }

  /** Uses up a question. False if it was never asked, has expired, or was answered; only one of several callers gets true. */
  async answer(challenge: string): Promise<boolean> {
    return (await this.#remove(QUESTION, challenge)) !== undefined
  }

  /** Returns whether the logout token with this id comes for the first time. It is remembered for some seconds. */
  async isFirst(id: string, seconds: number): Promise<boolean> {
    try {
      await this.#insert({ kind: LOGOUT, secret: id, payload: '{}' }, { seconds, askedFrom: null })
      return true
    } catch (error) {
      if (isTaken(error)) return false
      throw error
    }
  }

  async #insert({ kind, secret, payload }: Item, { seconds, askedFrom }: Remembered): Promise<void> {
    const now = this.#database.seconds()
    const row = { kind, hash: hashKey(secret), payload, askedFrom, expiresAt: now + seconds, madeAt: now }
    await this.#database.write((db) => [...makeRoom(db, now, askedFrom), db.insertInto('oauthItems').values(row)])
  }

  /** Deletes an item, and returns its payload. */
  async #remove(kind: string, secret: string): Promise<string | undefined> {
    const [removed] = await this.#database.write((db) => [
      db.deleteFrom('oauthItems').where('kind', '=', kind).where('hash', '=', hashKey(secret)).returningAll(),
    ])
    const row = removed?.rows[0]
    return row === undefined || (row.expiresAt ?? 0) <= this.#database.seconds() ? undefined : row.payload
  }
}

/** Returns the box of a secret. Its key cannot be told from the stored hash. */
function boxOf(secret: string): SecretBox {
  return new SecretBox(createHash('sha256').update(`key of ${secret}`).digest())
}
