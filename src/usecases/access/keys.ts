// API keys of the key's own workspace: list, mint, rotate, revoke. A secret is in one answer and stored nowhere.

import type { KeyData, NewKeyData } from '../../../schemas/keys.js'
import { type ApiKey, isUsable } from '../../catalog/keys.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey, mintKey, prefixOf } from '../../model/key-format.js'
import { parseLabel } from '../../model/label.js'
import type { Principal, Scope } from '../../model/principal.js'
import { DEFAULT_LIMIT, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { takeSlice } from '../context/slice.js'
import type { RequestContext } from '../context/request-context.js'
import { findSite } from '../context/target.js'

export interface CreateKeyInput {
  label: string
  /** Default: `read`. */
  scopes?: readonly Scope[]
  /** Default: the sites that the minting key may see. */
  sites?: readonly string[] | null
  /** RFC 3339; default: never. */
  expiresAt?: string | null
}

export interface RotateKeyInput {
  id: string
  /** How long the old key stays valid, seconds; default: a day. */
  overlapSeconds?: number
}

/** The operator's commands have these without starting the service. */
type KeyServices = Pick<Services, 'catalog' | 'clock' | 'newId' | 'idempotency'>

const DEFAULT_OVERLAP_SECONDS = 86_400

/** Keys that are not revoked, the oldest first. A key limited to some sites sees only keys limited to a part of them. */
export async function listKeys(
  services: KeyServices,
  context: RequestContext,
  input: SliceInput,
): Promise<Result<KeyData[]>> {
  const keys = await keysInReach(services, context)
  const slice = { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT }
  const { rows, nextCursor } = takeSlice('keys', keys, ({ createdAt, id }) => `${createdAt} ${id}`, slice)
  return { data: rows.map(toKeyData), nextCursor }
}

/** Throws `forbidden_scope` for a scope that the minting key lacks, `site_not_found`, `invalid_body` for a bad label or a time in the past. */
export async function createKey(
  services: KeyServices,
  context: RequestContext,
  input: CreateKeyInput,
): Promise<Result<NewKeyData>> {
  const { scopes = ['read'] } = input
  const label = parseLabel(input.label)
  checkScopes(context, scopes)
  const sites = sitesFor(services, context, input.sites ?? null)
  const now = toSeconds(services.clock())
  const expiresAt = expiryFor(input.expiresAt ?? null, now)
  return await services.idempotency.once(context, { input, isSecret: true }, async () => {
    const workspaceId = context.target.workspace.id
    const data = await mint(services, { workspaceId, label, scopes: [...new Set(scopes)], sites, expiresAt })
    return { result: { data, created: true }, committed: false }
  })
}

/**
 * Makes a new key like this one, which stays valid for a while, so that its users can switch one by one.
 * Throws `key_not_found`, and `forbidden_scope` when the caller lacks a scope of the key.
 */
export async function rotateKey(
  services: KeyServices,
  context: RequestContext,
  input: RotateKeyInput,
): Promise<Result<NewKeyData>> {
  const before = await findKey(services, context, input.id)
  checkScopes(context, before.scopes)
  const now = toSeconds(services.clock())
  if (!isUsable(before, services.clock())) throw keyNotFound()
  return await services.idempotency.once(context, { input, isSecret: true }, async () => {
    const { workspaceId, label, scopes, sites, expiresAt } = before
    const data = await mint(services, { workspaceId, label, scopes, sites, expiresAt })
    const end = toTimestamp(now + (input.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS))
    await services.catalog.keys.expire(workspaceId, before.id, end)
    return { result: { data, created: true }, committed: false }
  })
}

/** The next request with the key is refused. Throws `key_not_found`. */
export async function revokeKey(
  services: KeyServices,
  context: RequestContext,
  input: { id: string },
): Promise<Result<{ id: string }>> {
  const { id, workspaceId } = await findKey(services, context, input.id)
  if (!(await services.catalog.keys.revoke(workspaceId, id))) throw keyNotFound()
  return { data: { id } }
}

/** Stores the key's fields with a hash of its secret; only the answer holds the secret. */
async function mint(
  { catalog, clock, newId }: KeyServices,
  fields: Pick<ApiKey, 'workspaceId' | 'label' | 'scopes' | 'sites' | 'expiresAt'>,
): Promise<NewKeyData> {
  const key = mintKey()
  const createdAt = toTimestamp(toSeconds(clock()))
  const created = await catalog.keys.create({
    ...fields,
    id: newId(),
    prefix: prefixOf(key),
    hash: hashKey(key),
    createdAt,
  })
  return { ...toKeyData(created), key }
}

async function findKey(services: KeyServices, context: RequestContext, id: string): Promise<ApiKey> {
  const key = (await keysInReach(services, context)).find((candidate) => candidate.id === id.toLowerCase())
  if (key === undefined) throw keyNotFound()
  return key
}

function keyNotFound(): ServiceError {
  return new ServiceError('key_not_found', 'There is no such key: GET /keys lists the keys of this workspace.')
}

async function keysInReach(services: KeyServices, { principal, target }: RequestContext): Promise<ApiKey[]> {
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

function sitesFor(services: KeyServices, context: RequestContext, sites: readonly string[] | null): string[] | null {
  const wanted = sites ?? context.principal.sites
  return wanted === null ? null : [...new Set(wanted.map((id) => findSite(services, context, id).id))]
}

function expiryFor(expiresAt: string | null, now: number): string | null {
  if (expiresAt === null) return null
  const end = Math.floor(Date.parse(expiresAt) / 1000)
  if (end > now) return toTimestamp(end)
  throw new ServiceError('invalid_body', 'The time in expiresAt is in the past: give a later one, or leave it out.', [
    { field: '/expiresAt', message: 'is not in the future' },
  ])
}

function toKeyData(key: ApiKey): KeyData {
  const { id, label, prefix, scopes, sites, expiresAt, lastUsedAt, createdAt } = key
  return { id, label, prefix, scopes, sites, expiresAt, lastUsedAt, createdAt }
}
