// API keys of the caller's workspace: list, mint, rotate, revoke. A secret appears in one answer and is stored nowhere.

import type { KeyData, NewKeyData, RevokedKeyData } from '../../../schemas/keys.js'
import { ageOf } from '../../catalog/row-age.js'
import { type ApiKey, isUsable } from '../../catalog/keys.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { MAX_KEY_SITES } from '../../model/limits.js'
import { hashKey, mintKey, prefixOf } from '../../model/key-format.js'
import { isWithinPatterns, parsePathPattern, pathsNotAllowed } from '../../model/paths/path-scope.js'
import { parseLabel } from '../../model/label.js'
import { isWebOrigin } from '../../model/hosts/web-origin.js'
import type { Principal, Scope, Toolset } from '../../model/principal.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { type LongList, readSlice } from '../context/slice.js'
import type { RequestContext } from '../context/request-context.js'
import { findSite } from '../context/target.js'

export interface CreateKeyInput {
  label: string
  /** Default: `read`. */
  scopes?: readonly Scope[]
  /** Default: the sites that the minting key may see. */
  sites?: readonly string[] | null
  /** Default: the paths that the minting key is limited to. */
  paths?: readonly string[] | null
  /** Default: the origins that the minting key is limited to. */
  origins?: readonly string[] | null
  toolset?: Toolset | null
  /** RFC 3339; default: never. */
  expiresAt?: string | null
}

export interface RotateKeyInput {
  id: string
  /** Seconds that the old key stays valid; default: a day. */
  overlapSeconds?: number
}

/** The parts that the operator's commands have without starting the service. */
type KeyServices = Pick<Services, 'catalog' | 'clock' | 'newId' | 'idempotency'>

const DEFAULT_OVERLAP_SECONDS = 86_400
/** The most paths, or origins, of one key. */
const MAX_KEY_PATTERNS = 20
/** The most keys that the answer to a revocation names. */
const MAX_NAMED_KEYS = 1_000

/** Lists keys that are not revoked, the oldest first. A key limited to some sites sees only keys limited to a part of them. */
export async function listKeys(
  services: KeyServices,
  context: RequestContext,
  input: SliceInput,
): Promise<Result<KeyData[]>> {
  const { principal, target } = context
  const keys: LongList<ApiKey> = {
    read: (after, count) => services.catalog.keys.list(target.workspace.id, { after, count }),
    keyOf: ageOf,
    isWanted: (key) => isWithin(key, principal),
  }
  const slice = { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT }
  const { rows, nextCursor } = await readSlice('keys', keys, slice)
  return { data: rows.map((key) => toKeyData(withLastUse(services, key))), nextCursor }
}

/** Throws `forbidden_scope` for a scope that the minting key lacks, `site_not_found`, `invalid_body` for a bad label, origin or time. */
export async function createKey(
  services: KeyServices,
  context: RequestContext,
  input: CreateKeyInput,
): Promise<Result<NewKeyData>> {
  const { scopes = ['read'] } = input
  const label = parseLabel(input.label)
  refuseLong(input)
  checkScopes(context, scopes)
  const sites = sitesFor(services, context, input.sites ?? null)
  const paths = pathsFor(context, input.paths ?? null)
  const origins = originsFor(context, input.origins ?? null)
  const now = toSeconds(services.clock())
  const expiresAt = expiryFor(context.principal, input.expiresAt ?? null, now)
  return await services.idempotency.once(context, { input, isSecret: true }, async () => {
    const workspaceId = context.target.workspace.id
    const limits = { sites, paths, origins, toolset: input.toolset ?? null, expiresAt }
    const data = await mint(services, context, { workspaceId, label, scopes: [...new Set(scopes)], ...limits })
    return { result: { data, created: true, location: `/keys/${data.id}` }, committed: false }
  })
}

/**
 * Makes a new key like this one. The old one stays valid for a while, so that its users can switch one by one. Throws `key_not_found`, and
 * `forbidden_scope` when the caller lacks a scope of the key.
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
    const expiresAt = earlier(before.expiresAt, context.principal.expiresAt)
    const data = await mint(services, context, { ...before, expiresAt })
    const end = toTimestamp(now + (input.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS))
    await services.catalog.keys.expire(before.workspaceId, before.id, end)
    return { result: { data, created: true, location: `/keys/${data.id}` }, committed: false }
  })
}

/**
 * Revokes the key from the next request on. With `withMinted` it also revokes all keys that this key made; the key itself may then be
 * revoked already. Throws `key_not_found`.
 */
export async function revokeKey(
  services: KeyServices,
  context: RequestContext,
  input: ResourceId & { withMinted?: boolean },
): Promise<Result<RevokedKeyData>> {
  const { catalog } = services
  const { id, workspaceId } = await findKey(services, context, input.id)
  const isRevoked = await catalog.keys.revoke(workspaceId, id)
  if (!isRevoked && input.withMinted !== true) throw keyNotFound()
  const minted = input.withMinted === true ? await catalog.keys.revokeMintedBy(workspaceId, id) : []
  return { data: { id, minted: minted.slice(0, MAX_NAMED_KEYS) } }
}

/** Stores the key's fields with a hash of its secret; only the answer holds the secret. */
async function mint(
  { catalog, clock, newId }: KeyServices,
  { principal }: RequestContext,
  fields: Omit<ApiKey, 'id' | 'prefix' | 'revokedAt' | 'mintedBy' | 'lastUsedAt' | 'createdAt'>,
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
  return { ...toKeyData(created), key }
}

/** Finds a key of the workspace, in any state, that can do no more than the caller. Throws `key_not_found`. */
async function findKey({ catalog }: KeyServices, { principal, target }: RequestContext, id: string): Promise<ApiKey> {
  const key = await catalog.keys.find(target.workspace.id, id.toLowerCase())
  if (key === undefined || !isWithin(key, principal)) throw keyNotFound()
  return key
}

function keyNotFound(): ServiceError {
  return new ServiceError('key_not_found', 'There is no such key: GET /keys lists the keys of this workspace.')
}

/** Whether the key can do no more than the principal, judged by sites, paths and origins. */
function isWithin({ sites, paths, origins }: ApiKey, principal: Principal): boolean {
  return (
    isPart(sites, principal.sites) &&
    isPart(origins, principal.origins ?? null) &&
    (principal.paths === undefined || (paths !== null && isWithinPatterns(paths, principal.paths)))
  )
}

/** Whether `wanted` is a part of `own`; null is no limit. */
function isPart(wanted: readonly string[] | null, own: readonly string[] | null): boolean {
  return own === null || (wanted?.every((each) => own.includes(each)) ?? false)
}

/** Bounds the lists of a key. The API's schemas do this for requests; this is for the command line. Throws `invalid_body`. */
function refuseLong({ sites, paths, origins }: CreateKeyInput): void {
  if ((sites?.length ?? 0) > MAX_KEY_SITES) throw badField('sites', `has more than ${MAX_KEY_SITES} entries`)
  if ((paths?.length ?? 0) > MAX_KEY_PATTERNS) throw badField('paths', `has more than ${MAX_KEY_PATTERNS} entries`)
  if ((origins?.length ?? 0) > MAX_KEY_PATTERNS) throw badField('origins', `has more than ${MAX_KEY_PATTERNS} entries`)
}

function checkScopes({ target }: RequestContext, scopes: readonly Scope[]): void {
  const missing = scopes.filter((scope) => !target.scopes.includes(scope))
  if (missing.length === 0) return
  throw new ServiceError(
    'forbidden_scope',
    `A key can give only scopes that it holds: leave out ${missing.join(', ')}.`,
    { scopes: missing },
  )
}

function sitesFor(services: KeyServices, context: RequestContext, sites: readonly string[] | null): string[] | null {
  const wanted = sites ?? context.principal.sites
  return wanted === null ? null : [...new Set(wanted.map((id) => findSite(services, context, id).id))]
}

/** Returns the patterns in canonical form. Throws `invalid_path`, and `path_not_allowed` for a pattern outside of the minter's. */
function pathsFor({ principal }: RequestContext, paths: readonly string[] | null): string[] | null {
  const wanted = paths?.map(parsePathPattern) ?? principal.paths ?? null
  if (wanted === null) return null
  const { paths: own } = principal
  const refused = wanted.filter((pattern) => own !== undefined && !isWithinPatterns([pattern], own))
  if (own !== undefined && refused.length > 0) throw pathsNotAllowed(refused, own)
  return [...new Set(wanted)]
}

/** Throws `invalid_body` for a text that is no origin, and for an origin that the minter lacks. */
function originsFor({ principal }: RequestContext, origins: readonly string[] | null): string[] | null {
  const wanted = origins ?? principal.origins ?? null
  if (wanted === null) return null
  const wrong = wanted.find((origin) => !isWebOrigin(origin))
  if (wrong !== undefined) throw badField('origins', `has ${wrong}, which is no origin: write https://app.example`)
  const { origins: own = wanted } = principal
  const refused = wanted.filter((origin) => !own.includes(origin))
  if (refused.length === 0) return [...new Set(wanted)]
  throw badField('origins', `has ${refused.join(', ')}, which your key does not allow: leave it out`)
}

/** Returns the expiry of a new key: never later than that of the principal that makes it. */
function expiryFor({ expiresAt: latest }: Principal, wanted: string | null, now: number): string | null {
  if (wanted === null) return latest
  const end = Math.floor(Date.parse(wanted) / 1000)
  if (end <= now) throw badField('expiresAt', 'is in the past: give a later one, or leave it out')
  if (latest !== null && end * 1000 > Date.parse(latest)) {
    throw badField('expiresAt', `is later than ${latest}, when your key expires: give an earlier time, or leave it out`)
  }
  return toTimestamp(end)
}

function badField(name: string, problem: string): ServiceError {
  return new ServiceError('invalid_body', `${name} ${problem}.`, [{ field: `/${name}`, message: problem }])
}

/** Returns the earlier of two times. RFC 3339 times in UTC sort as text; null is never. */
function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

/** Returns the key with its last use, also if that is not yet written. */
function withLastUse({ catalog }: KeyServices, key: ApiKey): ApiKey {
  return { ...key, lastUsedAt: catalog.keyUsage.lastUseOf(key.id) ?? key.lastUsedAt }
}

function toKeyData(key: ApiKey): KeyData {
  const { id, label, prefix, scopes, sites, paths, origins, toolset, expiresAt, lastUsedAt, mintedBy, createdAt } = key
  return { id, label, prefix, scopes, sites, paths, origins, toolset, expiresAt, lastUsedAt, mintedBy, createdAt }
}
