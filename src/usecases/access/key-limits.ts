// Checks what a new key may do: never more than the principal that makes it.

import { toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { MAX_KEY_SITES } from '../../model/limits.js'
import { isWithinPatterns, parsePathPattern, pathsNotAllowed } from '../../model/paths/path-scope.js'
import { isWebOrigin } from '../../model/hosts/web-origin.js'
import type { Principal, Toolset } from '../../model/principal.js'
import { holdsScope, type Scope } from '../../model/rights/scopes.js'
import type { Call } from '../context/call.js'
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
  /** Whether it is the caller's own and never allows more than the caller may do. Default: only if the caller is no admin. */
  personal?: boolean
}

/** The most paths, or origins, of one key. */
const MAX_KEY_PATTERNS = 20

/** Bounds the lists of a key. The API's schemas do this for requests; this is for the command line. Throws `invalid_body`. */
export function refuseLong({ sites, paths, origins }: CreateKeyInput): void {
  if ((sites?.length ?? 0) > MAX_KEY_SITES) throw badField('sites', `has more than ${MAX_KEY_SITES} entries`)
  if ((paths?.length ?? 0) > MAX_KEY_PATTERNS) throw badField('paths', `has more than ${MAX_KEY_PATTERNS} entries`)
  if ((origins?.length ?? 0) > MAX_KEY_PATTERNS) throw badField('origins', `has more than ${MAX_KEY_PATTERNS} entries`)
}

export function checkScopes({ target }: Call, scopes: readonly Scope[]): void {
  const missing = scopes.filter((scope) => !holdsScope(target.scopes, scope))
  if (missing.length === 0) return
  throw new ServiceError(
    'forbidden_scope',
    `A key can give only scopes that it holds: leave out ${missing.join(', ')}.`,
    { scopes: missing },
  )
}

export function sitesFor(call: Call<'catalog'>, sites: readonly string[] | null): string[] | null {
  const wanted = sites ?? call.principal.sites
  return wanted === null ? null : [...new Set(wanted.map((id) => findSite(call, id).id))]
}

/** Returns the patterns in canonical form. Throws `invalid_path`, and `path_not_allowed` for a pattern outside of the minter's. */
export function pathsFor({ principal }: Call, paths: readonly string[] | null): string[] | null {
  const wanted = paths?.map(parsePathPattern) ?? principal.paths ?? null
  if (wanted === null) return null
  const { paths: own } = principal
  const refused = wanted.filter((pattern) => own !== undefined && !isWithinPatterns([pattern], own))
  if (own !== undefined && refused.length > 0) throw pathsNotAllowed(refused, own)
  return [...new Set(wanted)]
}

/** Throws `invalid_body` for a text that is no origin, and for an origin that the minter lacks. */
export function originsFor({ principal }: Call, origins: readonly string[] | null): string[] | null {
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
export function expiryFor({ expiresAt: latest }: Principal, wanted: string | null, now: number): string | null {
  if (wanted === null) return latest
  const end = Math.floor(Date.parse(wanted) / 1000)
  if (end <= now) throw badField('expiresAt', 'is in the past: give a later one, or leave it out')
  if (latest !== null && end * 1000 > Date.parse(latest)) {
    throw badField('expiresAt', `is later than ${latest}, when your key expires: give an earlier time, or leave it out`)
  }
  return toTimestamp(end)
}

export function badField(name: string, problem: string): ServiceError {
  return new ServiceError('invalid_body', `${name} ${problem}.`, [{ field: `/${name}`, message: problem }])
}
