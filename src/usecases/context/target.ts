// Who is asking, and which workspace and site the request is aimed at. A workspace or site that the key may not see
// answers exactly as one that does not exist.

import { isUsable } from '../../catalog/keys.js'
import type { Site } from '../../catalog/sites.js'
import type { Workspace } from '../../catalog/workspaces.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey, isWellFormedKey } from '../../model/key-format.js'
import type { Principal, Scope } from '../../model/principal.js'
import type { Services } from './services.js'

export interface Target {
  workspace: Workspace
  /** What the key may do in this workspace; `admin` includes `write`, and every key reads. */
  scopes: readonly Scope[]
  /** The site that the header named; undefined when it named none. */
  site: Site | undefined
}

export interface RequestContext {
  principal: Principal
  target: Target
  requestId: string
  /** As the client sent it: 1 to 255 visible characters. */
  idempotencyKey?: string
  /** Method and path template, `POST /pages`. */
  route: string
}

/** The ids of the headers `x-service-account-id` and `x-service-site-id`. */
export interface TargetIds {
  workspaceId?: string | undefined
  siteId?: string | undefined
}

type CatalogOnly = Pick<Services, 'catalog'>
type Aim = Pick<RequestContext, 'principal' | 'target'>

/** The bearer of a key. Throws `unauthenticated`, the same for no, malformed, unknown, expired and revoked keys. */
export function authenticate(services: Pick<Services, 'catalog' | 'clock'>, bearer: string | undefined): Principal {
  const { keys, keyUsage } = services.catalog
  const key = bearer !== undefined && isWellFormedKey(bearer) ? keys.findByHash(hashKey(bearer)) : undefined
  if (key === undefined || !isUsable(key, services.clock())) {
    throw new ServiceError('unauthenticated', 'Send a valid API key: "Authorization: Bearer <key>".')
  }
  keyUsage.record(key.id)
  const { id, label, workspaceId, scopes, sites } = key
  return { kind: 'key', id, label, workspaceId, scopes, sites }
}

/**
 * The workspace and, where the header names one, the site of a request that needs `scope`.
 * Throws `workspace_not_found`, `site_not_found`, then `insufficient_scope`.
 */
export function resolveTarget(services: CatalogOnly, principal: Principal, ids: TargetIds, scope: Scope): Target {
  const workspaceId = ids.workspaceId?.toLowerCase() ?? principal.workspaceId
  const scopes = scopesIn(services, principal, workspaceId)
  const workspace = scopes.length === 0 ? undefined : services.catalog.workspaces.find(workspaceId)
  if (workspace === undefined) {
    throw new ServiceError('workspace_not_found', 'There is no such workspace: GET /accounts lists those of this key.')
  }
  const target: Target = { workspace, scopes, site: undefined }
  if (ids.siteId !== undefined) target.site = findSite(services, { principal, target }, ids.siteId)
  if (!scopes.includes(scope)) {
    throw new ServiceError('insufficient_scope', `This needs a key with the scope "${scope}".`, { scope })
  }
  return target
}

/**
 * The site that a request is about: the header's, else the body's, else the workspace's default one.
 * Throws `site_mismatch` when header and body name different ones, and `site_not_found`.
 */
export function siteOf(services: CatalogOnly, context: RequestContext, bodySiteId?: string): Site {
  const { site, workspace } = context.target
  if (bodySiteId !== undefined && site !== undefined && site.id !== bodySiteId.toLowerCase()) {
    throw new ServiceError('site_mismatch', 'The header x-service-site-id and the body name different sites: send one.')
  }
  if (site !== undefined) return site
  if (bodySiteId !== undefined) return findSite(services, context, bodySiteId)
  const { defaultSiteId } = workspace
  const chosen = defaultSiteId === null ? undefined : visibleSite(services, context, defaultSiteId)
  if (chosen !== undefined) return chosen
  throw new ServiceError(
    'site_not_found',
    "This key cannot see the workspace's default site: name one of its own sites in x-service-site-id.",
  )
}

/** A site of the target workspace that the key may see. Throws `site_not_found`. */
export function findSite(services: CatalogOnly, context: Aim, siteId: string): Site {
  const site = visibleSite(services, context, siteId.toLowerCase())
  if (site !== undefined) return site
  throw new ServiceError(
    'site_not_found',
    'There is no such site in this workspace: GET /sites lists those of this key.',
  )
}

/** The sites in which an id is looked up: the header's alone, else all of the workspace that the key may see. */
export async function sitesInView(services: CatalogOnly, context: RequestContext): Promise<Site[]> {
  const { site, workspace } = context.target
  if (site !== undefined) return [site]
  return await services.catalog.sites.list(workspace.id, { only: context.principal.sites })
}

/** What a key may do in a workspace; empty where it may not even know that it exists. */
export function scopesIn(services: CatalogOnly, principal: Principal, workspaceId: string): readonly Scope[] {
  const held = withImplied(principal.scopes)
  if (workspaceId === principal.workspaceId) return held
  const grants = services.catalog.grants.grantsTo(principal.workspaceId)
  const grant = grants.find((candidate) => candidate.workspaceId === workspaceId)
  if (grant === undefined) return []
  // A grant never makes a key stronger than it is at home, and keys and sites are administered at home alone.
  const granted = withImplied(grant.scopes)
  return held.filter((scope) => scope !== 'admin' && granted.includes(scope))
}

function visibleSite(services: CatalogOnly, { principal, target }: Aim, siteId: string): Site | undefined {
  if (principal.sites !== null && !principal.sites.includes(siteId)) return undefined
  return services.catalog.sites.find(target.workspace.id, siteId)
}

function withImplied(scopes: readonly Scope[]): readonly Scope[] {
  if (scopes.includes('admin')) return ['read', 'write', 'admin']
  return scopes.includes('write') ? ['read', 'write'] : ['read']
}
