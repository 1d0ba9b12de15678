// Authenticates tokens of an identity provider: asks the provider whether each is valid (RFC 7662). An answer is cached for seconds;
// without an answer, the token is not accepted. A bounded number of questions is open at a time.

import { LRUCache } from 'lru-cache'
import { allowInsecureRequests, ClientSecretBasic, Configuration, tokenIntrospection } from 'openid-client'
import type { Gate } from '../../admission/gate.js'
import { waited } from '../../admission/waits.js'
import type { Catalog } from '../catalog.js'
import { type Clock, toSeconds } from '../../model/clock.js'
import { noValidKey, ServiceError } from '../../model/errors.js'
import { hashKey } from '../../model/key-format.js'
import type { Principal } from '../../model/principal.js'
import { type ClaimSettings, readClaims, TokenRefused } from './read-claims.js'

export interface IntrospectionSettings extends ClaimSettings {
  url: string
  clientId: string
  clientSecret: string
  /** Seconds that an answer is cached. */
  cacheSeconds: number
}

export interface IntrospectionParts {
  /** Limits the questions that are open at a time. */
  gate: Gate
  settings: IntrospectionSettings
  catalog: Catalog
  clock: Clock
  /** Called with the reason why a token was refused, which the client does not learn. */
  onRefused: (reason: string) => void
}

const MAX_CACHED_ANSWERS = 10_000
/** Seconds without an answer after which the provider counts as down. */
const MAX_ANSWER_SECONDS = 5
/** A bearer token (RFC 6750 §2.1), in a length that providers issue. */
const TOKEN = /^[\w\-.~+/]{1,4096}=*$/

export class Introspection {
  readonly #parts: IntrospectionParts
  readonly #provider: Configuration
  readonly #answers: LRUCache<string, Promise<Principal>>

  constructor(parts: IntrospectionParts) {
    const { url, clientId, clientSecret, cacheSeconds } = parts.settings
    this.#parts = parts
    this.#answers = new LRUCache({ max: MAX_CACHED_ANSWERS, ttl: Math.max(1, cacheSeconds * 1000) })
    this.#provider = new Configuration(
      { issuer: new URL(url).origin, introspection_endpoint: url },
      clientId,
      undefined,
      ClientSecretBasic(clientSecret),
    )
    this.#provider.timeout = MAX_ANSWER_SECONDS
    // The configuration allows plain http only to this machine.
    if (url.startsWith('http:')) allowInsecureRequests(this.#provider)
  }

  /** Returns the token's bearer. Throws `unauthenticated`, with the same words for every reason, and `identity_provider_down`. */
  async authenticate(token: string): Promise<Principal> {
    if (!TOKEN.test(token)) throw noValidKey()
    const hash = hashKey(token)
    const known = this.#answers.get(hash)
    if (known !== undefined) return await waited('provider', known)
    const leave = this.#parts.gate.enterNow('')
    const answer = this.#ask(token).finally(leave)
    this.#answers.set(hash, answer)
    answer.catch((error: unknown) => {
      // A refusal is an answer and stays cached; a failure is not.
      if (!(error instanceof ServiceError && error.code === 'unauthenticated')) this.#answers.delete(hash)
    })
    return await waited('provider', answer)
  }

  async #ask(token: string): Promise<Principal> {
    const { settings, catalog, clock, onRefused } = this.#parts
    try {
      const claims = await tokenIntrospection(this.#provider, token)
      return readClaims(claims, { settings, catalog, now: toSeconds(clock()) })
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw Object.assign(providerDown(), { cause: error })
      onRefused(error.message)
      throw noValidKey()
    }
  }
}

function providerDown(): ServiceError {
  return new ServiceError(
    'identity_provider_down',
    'The identity provider cannot be asked about this token now. Try again in a few seconds.',
  )
}
