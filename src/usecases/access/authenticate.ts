// Authenticates the bearer of an API key, of an agent's token, or of an identity provider's token.

import { type ApiKey, isUsable } from '../../catalog/api-key.js'
import { foreignToken, noValidKey, ServiceError } from '../../model/errors.js'
import { hashKey, isWellFormedKey } from '../../model/key-format.js'
import type { Principal } from '../../model/principal.js'
import type { Services } from '../context/services.js'
import { boundBy, personOf } from './person.js'

/**
 * Authenticates a bearer at a resource, whose path it names. Never sends one of our API keys or tokens to an identity provider. A text in
 * the form of a key counts as one, valid or not. Throws `unauthenticated` and `identity_provider_down`.
 */
export async function authenticateBearer(
  services: Pick<Services, 'allowedOrigins' | 'baseUrl' | 'catalog' | 'clock' | 'introspection'>,
  bearer: string | undefined,
  resource: string,
): Promise<Principal> {
  if (bearer === undefined || isWellFormedKey(bearer)) return authenticate(services, bearer)
  const agent = authenticateAgent(services, bearer, `${services.baseUrl}${resource}`)
  if (agent !== undefined) return agent
  return services.introspection === undefined
    ? authenticate(services, bearer)
    : await services.introspection.authenticate(bearer)
}

/** Returns undefined for a text that is no token of an agent. Throws `unauthenticated` for a token of another resource. */
function authenticateAgent(
  { catalog, allowedOrigins }: Pick<Services, 'catalog' | 'allowedOrigins'>,
  bearer: string,
  resource: string,
): Principal | undefined {
  const token = catalog.agents.findByToken(hashKey(bearer))
  if (token === undefined) return undefined
  if (token.resource !== resource) throw foreignToken(token.resource)
  const { id, workspaceId, userId, clientName: client, sites, expiresAt } = token.agent
  if (token.scopes.length === 0) throw allowsNothing()
  const here = personOf(catalog, workspaceId, userId)
  if (here === undefined) throw noValidKey()
  catalog.agentUsage.record(id)
  const label = here.person.name
  const origins = [...token.origins, ...allowedOrigins]
  return { kind: 'agent', id, label, client, workspaceId, origins, ...boundBy(here, token.scopes, sites), expiresAt }
}

function allowsNothing(): ServiceError {
  return new ServiceError('insufficient_scope', 'This token allows nothing: connect the program again.')
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
  const principal = principalOfKey({ catalog }, key)
  if (principal === undefined) throw noValidKey()
  catalog.keyUsage.record(key.id)
  return principal
}

/** Returns who a usable key is now; undefined once its person is no longer a member. */
export function principalOfKey({ catalog }: Pick<Services, 'catalog'>, key: ApiKey): Principal | undefined {
  const person = key.userId === null ? undefined : personOf(catalog, key.workspaceId, key.userId)
  if (key.userId !== null && person === undefined) return undefined
  const { id, label, workspaceId, paths, origins, toolset, expiresAt } = key
  const limits = { ...(paths && { paths }), ...(origins && { origins }), expiresAt }
  const principal = { kind: 'key' as const, id, label, workspaceId, ...limits, ...(toolset && { toolset }) }
  if (person === undefined) return { ...principal, scopes: key.scopes, sites: key.sites }
  return { ...principal, ...boundBy(person, key.scopes, key.sites) }
}
