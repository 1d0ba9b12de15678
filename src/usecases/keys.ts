// API keys of the key's own workspace: list, mint, revoke. A secret is answered once and kept nowhere.

import type { ApiKey } from '../catalog/keys.js'
import { toSeconds, toTimestamp } from '../model/clock.js'
import { ServiceError } from '../model/errors.js'
import { hashKey, mintKey, prefixOf } from '../model/key-format.js'
import type { Principal, Scope } from '../model/principal.js'
import { once } from './idempotency.js'
import { DEFAULT_LIMIT, type Result, type SliceInput } from './result.js'
import type { Services } from './services.js'
import { takeSlice } from './slice.js'
import { findSite, type RequestContext } from './target.js'

export interface KeyData {
  id: string
  label: string
  /** Its first characters, to tell it from others. */
  prefix: string
  scopes: Scope[]
  /** Ids of the only sites it may see; null means every one. */
  sites: string[] | null
  expiresAt: string | null
  lastUsedAt: string | null
  createdAt: string
}

export interface NewKeyData extends KeyData {
  /** The key itself. */
  key: string
}

export interface CreateKeyInput {
  label: string
  /** Default: `read`. */
  scopes?: readonly Scope[]
  /** Default: the sites that the minting key may see. */
  sites?: readonly string[] | null
  /** RFC 3339; default: never. */
  expiresAt?: string | null
}

/** Those not revoked, the oldest first; a limited key sees those that see no more than it does. */
export async function listKeys(
  services: Services,
  context: RequestContext,
  input: SliceInput,
): Promise<Result<KeyData[]>> {
  const keys = await keysInReach(services, context)
  const slice = { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT }
  const { rows, nextCursor } = takeSlice('keys', keys, ({ createdAt, id }) => `${createdAt} ${id}`, slice)
  return { data: rows.map(toKeyData), nextCursor }
}

/** Throws `forbidden_scope` for a scope that the minting key lacks, `site_not_found`, `invalid_body` for a time that is past. */
export async function createKey(
  services: Services,
  context: RequestContext,
  input: CreateKeyInput,
): Promise<Result<NewKeyData>> {
  const { label, scopes = ['read'] } = input
  checkScopes(context, scopes)
  const sites = sitesFor(services, context, input.sites ?? null)
  const now = toSeconds(services.clock())
  const expiresAt = expiryFor(input.expiresAt ?? null, now)
  return await once(services, context, { input, isSecret: true }, async () => {
    const key = mintKey()
    const created = await services.catalog.keys.create({
      id: services.newId(),
      workspaceId: context.target.workspace.id,
      label,
      prefix: prefixOf(key),
      hash: hashKey(key),
      scopes: [...new Set(scopes)],
      sites,
      expiresAt,
      createdAt: toTimestamp(now),
    })
    const data = { ...toKeyData(created), key }
    return { result: { data, created: true }, committed: false }
  })
}

/** From the next request on. Throws `key_not_found`. */
export async function revokeKey(
  services: Services,
  context: RequestContext,
  input: { id: string },
): Promise<Result<{ id: string }>> {
  const id = input.id.toLowerCase()
  const key = (await keysInReach(services, context)).find((candidate) => candidate.id === id)
  const isRevoked = key !== undefined && (await services.catalog.keys.revoke(key.workspaceId, key.id))
  if (!isRevoked) throw new ServiceError('key_not_found', 'There is no such key: GET /keys lists those there are.')
  return { data: { id } }
}

async function keysInReach(services: Services, { principal, target }: RequestContext): Promise<ApiKey[]> {
  const keys = await services.catalog.keys.list(target.workspace.id)
  return keys.filter(({ sites }) => isWithin(sites, principal))
}

function isWithin(sites: readonly string[] | null, { sites: own }: Principal): boolean {
  return own === null || (sites?.every((id) => own.includes(id)) ?? false)
}

function checkScopes({ target }: RequestContext, scopes: readonly Scope[]): void {
  const missing = scopes.filter((scope) => !target.scopes.includes(scope))
  if (missing.length === 0) return
  throw new ServiceError(
    'forbidden_scope',
    `A key mints only scopes that it holds itself: leave out ${missing.join(', ')}.`,
    { scopes: missing },
  )
}

function sitesFor(services: Services, context: RequestContext, sites: readonly string[] | null): string[] | null {
  const wanted = sites ?? context.principal.sites
  return wanted === null ? null : [...new Set(wanted.map((id) => findSite(services, context, id).id))]
}

function expiryFor(expiresAt: string | null, now: number): string | null {
  if (expiresAt === null) return null
  const end = Math.floor(Date.parse(expiresAt) / 1000)
  if (end > now) return toTimestamp(end)
  throw new ServiceError('invalid_body', 'The time in expiresAt is past: give a later one, or leave it out.', [
    { field: '/expiresAt', message: 'must be in the future' },
  ])
}

function toKeyData(key: ApiKey): KeyData {
  const { id, label, prefix, scopes, sites, expiresAt, lastUsedAt, createdAt } = key
  return { id, label, prefix, scopes, sites, expiresAt, lastUsedAt, createdAt }
}
