// Keeps the library's models in the catalog. It must know an item by its id, of which the catalog has only the hash.

import type { Agent, Agents } from '../../../catalog/agents/agents.js'
import type { ItemName, OAuthItem, OAuthItems } from '../../../catalog/agents/oauth-items.js'
import { MAX_KEPT_CHARACTERS, MAX_PARAMETER_CHARACTERS } from '../../../admission/unfinished-rows.js'
import { type Clock, toSeconds } from '../../../model/clock.js'
import { hashKey } from '../../../model/key-format.js'
import { GRACE_SECONDS, rotationSecret } from './rotation.js'

export interface AdapterParts {
  catalog: { oauthItems: OAuthItems; agents: Pick<Agents, 'revoke'> }
  clock: Clock
  /** Called once an agent has ended because one of its tokens was revoked, or used twice. */
  onRevoked: (agent: Agent) => Promise<void>
  /** Thrown for a code or token that another request has used. */
  usedTwice: () => Error
  /** Thrown for a request that would be kept and is too long. */
  tooLong: (words: string) => Error
  /** The running request; undefined where the service itself asks. */
  running: () => Running | undefined
}

export interface Running {
  /** The library's name of the endpoint. */
  route: string
  /** The network of the client's address. */
  askedFrom: string
}

type Payload = Record<string, unknown> & { grantId?: string; userCode?: string }

/** Time in which a client that registered itself must have got a first consent. */
const UNUSED_CLIENT_SECONDS = 86_400
/** Removes what would name a person in the library's session. */
const NOBODY = { accountId: undefined, authorizations: undefined }
/** An item found by its user code has no known id. It is then named by its hash. */
const BY_HASH = /^hash:([0-9a-f]{64})$/

export class ItemAdapter {
  readonly #kind: string
  readonly #parts: AdapterParts

  constructor(kind: string, parts: AdapterParts) {
    this.#kind = kind
    this.#parts = parts
  }

  async upsert(id: string, payload: Payload, lifetime?: number): Promise<void> {
    const { catalog, clock, running, tooLong } = this.#parts
    // People are known by their session at the dashboard. The library's own holds the secret of a form, and nobody's name.
    if (this.#kind === 'Session' && payload['state'] === undefined) return
    const problem = tooLongIn(payload['params'])
    if (problem !== undefined) throw tooLong(problem)
    const { userCode } = payload
    const kept = {
      ...payload,
      userCode: undefined,
      ...(this.#kind === 'Session' && NOBODY),
      ...(this.#kind === 'RefreshToken' && rotationSecret()),
    }
    const agentId = this.#kind === 'Grant' ? id : (payload.grantId ?? null)
    const seconds = this.#kind === 'Client' ? UNUSED_CLIENT_SECONDS : lifetime
    // The successor of a refresh token is made once, however often it is asked for.
    const store = this.#kind === 'RefreshToken' ? 'add' : 'put'
    await catalog.oauthItems[store]({
      ...this.#name(id),
      payload: kept,
      agentId,
      userCodeHash: userCode === undefined ? undefined : hashKey(userCode),
      expiresAt: seconds === undefined ? null : toSeconds(clock()) + seconds,
      askedFrom: agentId === null ? (running()?.askedFrom ?? null) : null,
    })
  }

  /** Keeps the metadata of a client for good: a person lets it act. */
  async keep(id: string, metadata: object): Promise<void> {
    const item = { ...this.#name(id), payload: metadata, agentId: null, expiresAt: null, askedFrom: null }
    await this.#parts.catalog.oauthItems.put(item)
  }

  find(id: string): Promise<Payload | undefined> {
    if (this.#mustAskAnew(id)) return Promise.resolve(undefined)
    const item = this.#parts.catalog.oauthItems.find(this.#name(id))
    return Promise.resolve(item && this.#payloadOf(item))
  }

  findByUserCode(userCode: string): Promise<Payload | undefined> {
    const item = this.#parts.catalog.oauthItems.findByUserCode(this.#kind, hashKey(userCode))
    return Promise.resolve(item && { ...this.#payloadOf(item), jti: `hash:${item.hash}`, userCode })
  }

  /** Sessions are found by their cookie only. */
  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  async consume(id: string): Promise<void> {
    const isInTime = await this.#parts.catalog.oauthItems.consume(this.#name(id), this.#graceSeconds)
    if (!isInTime) throw this.#parts.usedTwice()
  }

  async destroy(id: string): Promise<void> {
    await this.#parts.catalog.oauthItems.delete(this.#name(id))
  }

  /** Ends the agent. The library calls it once for each kind of token. */
  async revokeByGrantId(agentId: string): Promise<void> {
    const { catalog, onRevoked } = this.#parts
    const ended = await catalog.agents.revoke(agentId)
    if (ended !== undefined) await onRevoked(ended)
  }

  /**
   * Whether the document at a client's URL counts. It does while a person is asked. Tokens are made by the document that was kept when the
   * person let the client act. So they depend neither on its host nor on a cache that strangers can fill.
   */
  #mustAskAnew(id: string): boolean {
    if (this.#kind !== 'Client' || !id.startsWith('https://')) return false
    const route = this.#parts.running()?.route
    return route === undefined || route === 'authorization' || route === 'device_authorization'
  }

  /** Tells the library that an item is used up: with its first use, but for a refresh token some time after it. */
  #payloadOf({ payload, consumedAt }: OAuthItem): Payload {
    const isUsedUp = consumedAt !== null && consumedAt <= toSeconds(this.#parts.clock()) - this.#graceSeconds
    return { ...payload, ...(isUsedUp && { consumed: consumedAt }) }
  }

  get #graceSeconds(): number {
    return this.#kind === 'RefreshToken' ? GRACE_SECONDS : 0
  }

  /** Only the service itself names an item by its hash, and the endpoint of tokens never does. */
  #name(id: string): ItemName {
    const mayNameByHash = this.#kind === 'DeviceCode' && this.#parts.running()?.route !== 'token'
    return { kind: this.#kind, id, hash: (mayNameByHash ? BY_HASH.exec(id)?.[1] : undefined) ?? hashKey(id) }
  }
}

/** Says which parameter is too long to be kept; undefined: none. */
function tooLongIn(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined
  const lengths = Object.entries(params).map(([name, value]) => [name, JSON.stringify(value).length] as const)
  const long = lengths.find(([, length]) => length > MAX_PARAMETER_CHARACTERS)
  if (long !== undefined) return `${long[0]} is longer than ${MAX_PARAMETER_CHARACTERS} characters: send a shorter one.`
  const sum = lengths.reduce((all, [, length]) => all + length, 0)
  return sum > MAX_KEPT_CHARACTERS
    ? `the parameters have more than ${MAX_KEPT_CHARACTERS} characters together: send less.`
    : undefined
}
