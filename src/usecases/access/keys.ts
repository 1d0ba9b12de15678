// API keys of the caller's workspace: list, mint, rotate, revoke. A secret appears in one answer and is stored nowhere.

import type { KeyData, NewKeyData, RevokedKeyData } from '../../../schemas/keys.js'
import type { Catalog } from '../../catalog/catalog.js'
import { ageOf } from '../../catalog/row-age.js'
import { type ApiKey, isUsable } from '../../catalog/api-key.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey, mintKey, prefixOf } from '../../model/key-format.js'
import { parseLabel } from '../../model/label.js'
import type { Call } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { type LongList, readSlice } from '../context/slice.js'
import {
  checkScopes,
  type CreateKeyInput,
  expiryFor,
  originsFor,
  pathsFor,
  refuseLong,
  sitesFor,
} from './key-limits.js'
import { mayManage, ownerFor, refuseForeignKey } from './key-owner.js'

export interface RotateKeyInput {
  id: string
  /** Seconds that the old key stays valid; default: a day. */
  overlapSeconds?: number
}

const DEFAULT_OVERLAP_SECONDS = 86_400
/** The most keys that the answer to a revocation names. */
const MAX_NAMED_KEYS = 1_000

/**
 * Lists keys that are not revoked, the oldest first. A key limited to some sites sees only keys limited to a part of them. Without the scope
 * admin, people see their own.
 */
export async function listKeys(call: Call<'catalog'>, input: SliceInput): Promise<Result<KeyData[]>> {
  const { target } = call
  ownerFor(call)
  const keys: LongList<ApiKey> = {
    read: (after, count) => call.catalog.keys.list(target.workspace.id, { after, count }),
    keyOf: ageOf,
    isWanted: (key) => mayManage(call, key),
  }
  const slice = { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT }
  const { rows, nextCursor } = await readSlice('keys', keys, slice)
  return { data: rows.map((key) => toKeyData(call.catalog, withLastUse(call, key))), nextCursor }
}

/** Throws `forbidden_scope` for a scope that the minting key lacks, `site_not_found`, `invalid_body` for a bad label, origin or time. */
export async function createKey(
  call: Call<'catalog' | 'clock' | 'idempotency' | 'newId'>,
  input: CreateKeyInput,
): Promise<Result<NewKeyData>> {
  const { scopes = ['read'] } = input
  const userId = ownerFor(call, input.personal)
  const label = parseLabel(input.label)
  refuseLong(input)
  checkScopes(call, scopes)
  const sites = sitesFor(call, input.sites ?? null)
  const paths = pathsFor(call, input.paths ?? null)
  const origins = originsFor(call, input.origins ?? null)
  const now = toSeconds(call.clock())
  const expiresAt = expiryFor(call.principal, input.expiresAt ?? null, now)
  return await call.idempotency.once(call, { input, isSecret: true }, async () => {
    const workspaceId = call.target.workspace.id
    const limits = { sites, paths, origins, toolset: input.toolset ?? null, expiresAt }
    const data = await mint(call, { workspaceId, userId, label, scopes: [...new Set(scopes)], ...limits })
    await auditKey(call, 'key.create', data)
    return { result: { data, created: true, location: `/keys/${data.id}` }, committed: false }
  })
}

/**
 * Makes a new key like this one. The old one stays valid for a while, so that its users can switch one by one; an offer ends. Throws
 * `key_not_found`, `forbidden_role` for the key of another person, and `forbidden_scope` when the caller lacks a scope of the key.
 */
export async function rotateKey(
  call: Call<'catalog' | 'clock' | 'idempotency' | 'newId'>,
  input: RotateKeyInput,
): Promise<Result<NewKeyData>> {
  const before = await findKey(call, input.id)
  refuseForeignKey(call, before)
  checkScopes(call, before.scopes)
  if (!isUsable(before, call.clock()) && !isOpen(before, call.clock())) throw keyNotFound()
  return await call.idempotency.once(call, { input, isSecret: true }, async () => {
    const expiresAt = earlier(before.expiresAt, call.principal.expiresAt)
    const data = await mint(call, { ...before, expiresAt })
    await endOld(call, before, data.id, input.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS)
    return { result: { data, created: true, location: `/keys/${data.id}` }, committed: false }
  })
}

async function endOld(
  call: Call<'catalog' | 'clock'>,
  key: ApiKey,
  newKey: string,
  overlapSeconds: number,
): Promise<void> {
  const { id, workspaceId, offer } = key
  const { keys } = call.catalog
  if (offer !== null) {
    await keys.revoke(workspaceId, id)
    return await auditKey(call, 'key.take', key, { newKey, offeredFrom: offer.from })
  }
  const oldKeyEnds = toTimestamp(toSeconds(call.clock()) + overlapSeconds)
  await keys.expire(workspaceId, id, oldKeyEnds)
  await auditKey(call, 'key.rotate', key, { newKey, oldKeyEnds })
}

/**
 * Revokes the key, or declines the offer. A key is refused from the next request on. With `withMinted` it also revokes all
 * keys that this key made; the key itself may then be revoked already. Throws `key_not_found`.
 */
export async function revokeKey(
  call: Call<'catalog'>,
  input: ResourceId & { withMinted?: boolean },
): Promise<Result<RevokedKeyData>> {
  const { catalog } = call
  const key = await findKey(call, input.id)
  const { id, workspaceId } = key
  const isRevoked = await catalog.keys.revoke(workspaceId, id)
  if (!isRevoked && input.withMinted !== true) throw keyNotFound()
  const minted = input.withMinted === true ? await catalog.keys.revokeMintedBy(workspaceId, id) : []
  const named = minted.slice(0, MAX_NAMED_KEYS)
  await auditKey(call, 'key.revoke', key, input.withMinted === true ? { minted: named } : {})
  return { data: { id, minted: named } }
}

/** Records what was done to a key: its rights, and neither the key nor its prefix. */
async function auditKey(
  call: Call<'catalog'>,
  action: string,
  key: Pick<ApiKey, 'id' | 'label' | 'userId' | 'scopes' | 'sites' | 'paths' | 'origins' | 'expiresAt'>,
  more: Record<string, unknown> = {},
): Promise<void> {
  const { id, label, userId, scopes, sites, paths, origins, expiresAt } = key
  const limits = Object.entries({ userId, sites, paths, origins, expiresAt }).filter(([, limit]) => limit !== null)
  const details = { scopes, ...Object.fromEntries(limits), ...more }
  await recordAudit(call, { action, target: `key ${id}`, details, personal: { about: label } })
}

/** Stores the key's fields with a hash of its secret; only the answer holds the secret. */
async function mint(
  { catalog, clock, newId, principal }: Call<'catalog' | 'clock' | 'newId'>,
  fields: Omit<ApiKey, 'id' | 'prefix' | 'revokedAt' | 'mintedBy' | 'offer' | 'lastUsedAt' | 'createdAt'>,
): Promise<NewKeyData> {
  const key = mintKey()
  const createdAt = toTimestamp(toSeconds(clock()))
  const created = await catalog.keys.create({
    ...fields,
    id: newId(),
    prefix: prefixOf(key),
    hash: hashKey(key),
    mintedBy: { kind: principal.kind, id: principal.id },
    createdAt,
  })
  return { ...toKeyData(catalog, created), key }
}

/** Finds a key of the workspace, in any state, that the caller may manage. Throws `key_not_found`, and `insufficient_scope`. */
async function findKey(call: Call<'catalog'>, id: string): Promise<ApiKey> {
  const { catalog } = call
  ownerFor(call)
  const key = await catalog.keys.find(call.target.workspace.id, id.toLowerCase())
  if (key === undefined || !mayManage(call, key)) throw keyNotFound()
  return key
}

function keyNotFound(): ServiceError {
  return new ServiceError('key_not_found', 'There is no such key: GET /keys lists the keys of this workspace.')
}

/** Whether it is an offer that can be taken now. */
function isOpen(key: ApiKey, now: Date): boolean {
  const { offer } = key
  return offer !== null && now.getTime() < Date.parse(offer.until) && isUsable({ ...key, offer: null }, now)
}

/** Returns the earlier of two times. RFC 3339 times in UTC sort as text; null is never. */
function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

/** Returns the key with its last use, also if that is not yet written. */
function withLastUse({ catalog }: Pick<Services, 'catalog'>, key: ApiKey): ApiKey {
  return { ...key, lastUsedAt: catalog.keyUsage.lastUseOf(key.id) ?? key.lastUsedAt }
}

function toKeyData(
  { users }: Pick<Catalog, 'users'>,
  { workspaceId: _workspaceId, revokedAt: _revokedAt, offer, ...shown }: ApiKey,
): KeyData {
  return { ...shown, offer: offer && { from: users.find(offer.from)?.name ?? 'somebody', until: offer.until } }
}
