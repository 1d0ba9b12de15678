// Makes the principal of a token from the claims of the identity provider's answer (RFC 7662 §2.2).

import type { IntrospectionResponse } from 'openid-client'
import type { Catalog } from '../catalog.js'
import { toTimestamp } from '../../model/clock.js'
import { MAX_LABEL_CHARACTERS } from '../../model/label.js'
import { MAX_KEY_SITES } from '../../model/limits.js'
import type { Principal } from '../../model/principal.js'
import { isScope, SCOPES } from '../../model/rights/scopes.js'

export interface ClaimSettings {
  /** The required `iss`; unset: not checked, because only the provider itself answers. */
  issuer?: string | undefined
  /** The value that `aud` must be or hold. */
  audience: string
  /** The claims that name the workspace (its id) and the sites (ids or slugs; absent: all of them). Scopes are in `scope`. */
  workspaceClaim: string
  sitesClaim: string
}

/** Most seconds that the provider's clock may be ahead. */
const MAX_CLOCK_SKEW_SECONDS = 30

/** OpenID Connect Core §2 allows 255; the id of a client may be a URL. */
const MAX_SUBJECT_CHARACTERS = 1_024

/** A refused token. The message is the reason, for the log and never for the client. */
export class TokenRefused extends Error {}

/** Reads the claims; `now` is in seconds. Throws TokenRefused. */
export function readClaims(
  claims: IntrospectionResponse,
  { settings, catalog, now }: { settings: ClaimSettings; catalog: Catalog; now: number },
): Principal {
  if (!claims.active) throw new TokenRefused('it is not active')
  const expires = secondsOf(claims.exp, 'exp')
  if (expires !== undefined && expires <= now) throw new TokenRefused('it has expired')
  const begins = secondsOf(claims.nbf, 'nbf')
  if (begins !== undefined && begins > now + MAX_CLOCK_SKEW_SECONDS) throw new TokenRefused('it is not valid yet')
  if (settings.issuer !== undefined && claims.iss !== settings.issuer) throw new TokenRefused('it has another issuer')
  if (![claims.aud].flat().includes(settings.audience)) throw new TokenRefused(`it is not for ${settings.audience}`)
  const workspaceId = workspaceOf(claims[settings.workspaceClaim], catalog)
  const words = wordsOf(claims.scope) ?? []
  const scopes = words.filter(isScope)
  if (scopes.length === 0) throw new TokenRefused(`it has none of the scopes ${SCOPES.join(', ')}`)
  const id = textOf(claims.sub) ?? textOf(claims.client_id)
  if (id === undefined) throw new TokenRefused('it names no subject')
  if (id.length > MAX_SUBJECT_CHARACTERS) throw new TokenRefused('its subject is too long')
  const label = Array.from(textOf(claims.username) ?? id)
    .slice(0, MAX_LABEL_CHARACTERS)
    .join('')
  const sites = sitesOf(claims[settings.sitesClaim], workspaceId, catalog)
  const expiresAt = expires === undefined ? null : toTimestamp(expires)
  return { kind: 'token', id, label, workspaceId, scopes: [...new Set(scopes)], sites, expiresAt }
}

function workspaceOf(claim: unknown, { workspaces }: Catalog): string {
  if (typeof claim !== 'string') throw new TokenRefused('it names no workspace')
  const workspace = workspaces.find(claim.toLowerCase())
  if (workspace === undefined) throw new TokenRefused('it names a workspace that does not exist')
  return workspace.id
}

function sitesOf(claim: unknown, workspaceId: string, { sites }: Catalog): string[] | null {
  if (claim === undefined) return null
  // A malformed claim opens no site: a claim that is meant to limit must never widen.
  const words = wordsOf(claim) ?? []
  if (words.length > MAX_KEY_SITES) throw new TokenRefused('it names too many sites')
  return words.flatMap((word) => {
    const site = sites.find(workspaceId, word.toLowerCase()) ?? sites.findBySlug(word)
    return site?.workspaceId === workspaceId ? [site.id] : []
  })
}

/** Returns undefined for an absent claim. Refuses a time that is not a number, instead of ignoring it. */
function secondsOf(claim: unknown, name: string): number | undefined {
  if (claim === undefined || typeof claim === 'number') return claim
  throw new TokenRefused(`its ${name} is not a number`)
}

/** Returns the claim if it is a text that is not empty: only the provider vouches for the types of claims. */
function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim : undefined
}

/** Returns the words of a claim that is a list, or words with spaces between them (RFC 8693 §4.2). */
function wordsOf(claim: unknown): string[] | undefined {
  if (typeof claim === 'string') return claim.split(' ').filter(Boolean)
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : undefined
}
