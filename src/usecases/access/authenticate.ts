// Authenticates the bearer of an API key or of an identity provider's token.

import { isUsable } from '../../catalog/keys.js'
import { noValidKey } from '../../model/errors.js'
import { hashKey, isWellFormedKey } from '../../model/key-format.js'
import type { Principal } from '../../model/principal.js'
import type { Services } from '../context/services.js'
import { boundBy, personOf } from './person.js'

/**
 * Authenticates a bearer. Never sends a text in the form of our API keys to an identity provider, valid or not. Throws `unauthenticated`
 * and `identity_provider_down`.
 */
export async function authenticateBearer(services: Services, bearer: string | undefined): Promise<Principal> {
  const { introspection } = services
  if (introspection === undefined || bearer === undefined || isWellFormedKey(bearer))
    return authenticate(services, bearer)
  return await introspection.authenticate(bearer)
}

/** Throws `unauthenticated`, with one answer for missing, malformed, unknown, expired and revoked keys. */
export function authenticate(
  { catalog, clock }: Pick<Services, 'catalog' | 'clock'>,
  bearer: string | undefined,
): Principal {
  const key = bearer !== undefined && isWellFormedKey(bearer) ? catalog.keys.findByHash(hashKey(bearer)) : undefined
  if (key === undefined || !isUsable(key, clock())) {
    throw noValidKey()
  }
  const person = key.userId === null ? undefined : personOf(catalog, key.workspaceId, key.userId)
  if (key.userId !== null && person === undefined) throw noValidKey()
  catalog.keyUsage.record(key.id)
  const { id, label, workspaceId, paths, origins, toolset, expiresAt } = key
  const limits = { ...(paths && { paths }), ...(origins && { origins }), expiresAt }
  const principal = { kind: 'key' as const, id, label, workspaceId, ...limits, ...(toolset && { toolset }) }
  if (person === undefined) return { ...principal, scopes: key.scopes, sites: key.sites }
  return { ...principal, ...boundBy(person, key.scopes, key.sites) }
}
