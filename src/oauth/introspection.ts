// Tokens that are not ours: an identity provider is asked what each is worth (RFC 7662), and its claims say whose it is.
// An answer is believed for seconds; without an answer nobody gets in.

import { LRUCache } from 'lru-cache'
import {
  allowInsecureRequests,
  ClientSecretBasic,
  Configuration,
  type IntrospectionResponse,
  tokenIntrospection,
} from 'openid-client'
import type { Catalog } from '../catalog/catalog.js'
import { type Clock, toSeconds, toTimestamp } from '../model/clock.js'
import { ServiceError } from '../model/errors.js'
import { hashKey } from '../model/key-format.js'
import type { Principal, Scope } from '../model/principal.js'

export interface IntrospectionSettings {
  url: string
  clientId: string
  clientSecret: string
  /** What `aud` must be or hold. */
  audience: string
  /** The claims that name the workspace (its id), the scopes (words) and the sites (ids or slugs; absent: all of them). */
  workspaceClaim: string
  scopeClaim: string
  sitesClaim: string
  /** How long an answer is believed. */
  cacheSeconds: number
}

export interface IntrospectionParts {
  settings: IntrospectionSettings
  catalog: Catalog
  clock: Clock
}

/** Answers kept at once. */
const KEPT = 10_000
/** Seconds until the provider counts as down. */
const PATIENCE = 5

export class Introspection {
  readonly #parts: IntrospectionParts
  readonly #provider: Configuration
  readonly #answers: LRUCache<string, Promise<Principal>>

  constructor(parts: IntrospectionParts) {
    const { url, clientId, clientSecret, cacheSeconds } = parts.settings
    this.#parts = parts
    this.#answers = new LRUCache({ max: KEPT, ttl: Math.max(1, cacheSeconds * 1000) })
    this.#provider = new Configuration(
      { issuer: new URL(url).origin, introspection_endpoint: url },
      clientId,
      undefined,
      ClientSecretBasic(clientSecret),
    )
    this.#provider.timeout = PATIENCE
    // The configuration has checked that plain http leads to this machine.
    if (url.startsWith('http:')) allowInsecureRequests(this.#provider)
  }

  /** The token's bearer. Throws `unauthenticated`, saying what the token lacks, and `identity_provider_down`. */
  authenticate(token: string): Promise<Principal> {
    const hash = hashKey(token)
    const known = this.#answers.get(hash)
    if (known !== undefined) return known
    const answer = this.#ask(token)
    this.#answers.set(hash, answer)
    answer.catch((error: unknown) => {
      // A refusal is an answer too; what failed on the way is asked again.
      if (!(error instanceof ServiceError && error.code === 'unauthenticated')) this.#answers.delete(hash)
    })
    return answer
  }

  async #ask(token: string): Promise<Principal> {
    let claims: IntrospectionResponse
    try {
      claims = await tokenIntrospection(this.#provider, token)
    } catch (error) {
      throw Object.assign(
        new ServiceError(
          'identity_provider_down',
          'The identity provider cannot say what this token is worth now. Try again.',
        ),
        { cause: error },
      )
    }
    return this.#read(claims)
  }

  #read(claims: IntrospectionResponse): Principal {
    const { settings, clock } = this.#parts
    if (!claims.active) throw refused('is not active')
    if (typeof claims.exp === 'number' && claims.exp <= toSeconds(clock())) throw refused('has expired')
    if (![claims.aud].flat().includes(settings.audience)) throw refused(`is not for ${settings.audience}`)
    const workspaceId = this.#workspaceOf(claims)
    const words = wordsOf(claims[settings.scopeClaim]) ?? []
    const scopes = words.filter((word): word is Scope => word === 'read' || word === 'write' || word === 'admin')
    if (scopes.length === 0) throw refused('has none of the scopes read, write and admin')
    const id = textOf(claims.sub) ?? textOf(claims.client_id)
    if (id === undefined) throw refused('names no subject')
    const label = textOf(claims.username) ?? id
    const expiresAt = typeof claims.exp === 'number' ? toTimestamp(claims.exp) : null
    return { kind: 'token', id, label, workspaceId, scopes, sites: this.#sitesOf(claims, workspaceId), expiresAt }
  }

  #workspaceOf(claims: IntrospectionResponse): string {
    const claim = claims[this.#parts.settings.workspaceClaim]
    if (typeof claim !== 'string')
      throw refused(`names no workspace: the claim "${this.#parts.settings.workspaceClaim}"`)
    const workspace = this.#parts.catalog.workspaces.find(claim.toLowerCase())
    if (workspace === undefined) throw refused('names a workspace that is not here')
    return workspace.id
  }

  #sitesOf(claims: IntrospectionResponse, workspaceId: string): string[] | null {
    const { catalog, settings } = this.#parts
    const claim = claims[settings.sitesClaim]
    if (claim === undefined) return null
    // What is no list of sites opens none: a claim that was meant to limit must never widen.
    return (wordsOf(claim) ?? []).flatMap((word) => {
      const site = catalog.sites.find(workspaceId, word.toLowerCase()) ?? catalog.sites.findBySlug(word)
      return site?.workspaceId === workspaceId ? [site.id] : []
    })
  }
}

/** A provider's answer is checked by nobody else: what should be text may be anything. */
function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim : undefined
}

/** A claim that is a list, or words with spaces between them (RFC 8693 §4.2). */
function wordsOf(claim: unknown): string[] | undefined {
  if (typeof claim === 'string') return claim.split(' ').filter(Boolean)
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : undefined
}

function refused(why: string): ServiceError {
  return new ServiceError('unauthenticated', `The identity provider's token ${why}.`)
}
