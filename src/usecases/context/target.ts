// Finds the workspace and the site that a request addresses. One that the key may not see is answered exactly as a missing one.

import type { Catalog } from '../../catalog/catalog.js'
import type { Site } from '../../catalog/site.js'
import { ServiceError } from '../../model/errors.js'
import type { Principal } from '../../model/principal.js'
import { SCOPES_OF_ROLE } from '../../model/rights/roles.js'
import { holdsScope, type Scope } from '../../model/rights/scopes.js'
import type { Call } from './call.js'
import type { Target } from './request-context.js'
import type { Services } from './services.js'

/** The ids of the headers `x-service-account-id` and `x-service-site-id`. */
export interface TargetIds {
  workspaceId?: string | undefined
  siteId?: string | undefined
}

type Parts = Pick<Services, 'catalog'>
type Aim = Pick<Call<'catalog'>, 'catalog' | 'principal' | 'target'>

/**
 * Returns the workspace and, if the header names one, the site of a request that needs `scope`. Throws `workspace_not_found`,
 * `site_not_found`, then `insufficient_scope`, which says that `named` is needed.
 */
export function resolveTarget(
  services: Parts,
  principal: Principal,
  ids: TargetIds,
  scope: Scope,
  named = scope,
): Target {
  const workspaceId = ids.workspaceId?.toLowerCase() ?? principal.workspaceId
  const scopes = scopesIn(services, principal, workspaceId)
  const workspace = scopes.length === 0 ? undefined : services.catalog.workspaces.find(workspaceId)
  if (workspace === undefined) {
    throw new ServiceError(
      'workspace_not_found',
      'There is no such workspace: GET /accounts lists the workspaces that this key can see.',
    )
  }
  const target: Target = { workspace, scopes, site: undefined }
  if (ids.siteId !== undefined) target.site = findSite({ ...services, principal, target }, ids.siteId)
  if (!holdsScope(scopes, scope)) {
    throw insufficientScope(principal, named)
  }
  return target
}

/**
 * Returns the site that a request addresses. It is the header's, else the body's, else the default one, else the only one that the key may
 * see. Throws `site_mismatch` when header and body name different ones, and `site_not_found`.
 */
export function siteOf(call: Aim, bodySiteId?: string): Site {
  const { site, workspace } = call.target
  if (bodySiteId !== undefined && site !== undefined && site.id !== bodySiteId.toLowerCase()) {
    throw new ServiceError('site_mismatch', 'The header x-service-site-id and the body name different sites: send one.')
  }
  if (site !== undefined) return site
  if (bodySiteId !== undefined) return findSite(call, bodySiteId)
  const { defaultSiteId } = workspace
  const chosen = defaultSiteId === null ? undefined : visibleSite(call, defaultSiteId)
  if (chosen !== undefined) return chosen
  const [only, ...others] = (call.principal.sites ?? []).flatMap((id) => visibleSite(call, id) ?? [])
  if (only !== undefined && others.length === 0) return only
  throw new ServiceError(
    'site_not_found',
    "This key cannot see the workspace's default site: name one of its sites in x-service-site-id.",
  )
}

/** Finds a site of the target workspace that the key may see. Throws `site_not_found`. */
export function findSite(call: Aim, siteId: string): Site {
  const site = visibleSite(call, siteId.toLowerCase())
  if (site !== undefined) return site
  throw new ServiceError(
    'site_not_found',
    'There is no such site in this workspace: GET /sites lists the sites that this key can see.',
  )
}

/** Lists all sites of the target workspace that the key may see. */
export async function sitesInView({ catalog, principal, target }: Aim): Promise<Site[]> {
  return await catalog.sites.list(target.workspace.id, { only: principal.sites })
}

/** Returns the ids of all sites of the target workspace that the key may see, by slug. */
export function siteIdsInView({ catalog, principal, target }: Aim): string[] {
  const ids = catalog.sites.listIds(target.workspace.id)
  if (principal.sites === null) return ids
  const seen = new Set(principal.sites)
  return ids.filter((id) => seen.has(id))
}

/** Returns the scopes of a principal in a workspace; none if the workspace is hidden from it. */
export function scopesIn(
  { catalog }: { catalog: Pick<Catalog, 'grants'> },
  principal: Pick<Principal, 'scopes' | 'workspaceId'>,
  workspaceId: string,
): readonly Scope[] {
  const held = withImplied(principal.scopes)
  if (workspaceId === principal.workspaceId) return held
  const grants = catalog.grants.grantsTo(principal.workspaceId)
  const grant = grants.find((candidate) => candidate.workspaceId === workspaceId)
  if (grant === undefined) return []
  // A grant adds no scope that the key lacks in its own workspace; keys and sites are administered only there.
  return held.filter((scope) => scope !== 'admin' && scope !== 'sites' && holdsScope(grant.scopes, scope))
}

/**
 * Returns the site; undefined if the key may not see it. `siteId` is in lower case. In a call about a change request, its site stands for the
 * request; for another site, throws `site_mismatch`.
 */
export function visibleSite({ catalog, principal, target }: Aim, siteId: string): Site | undefined {
  if (principal.sites !== null && !principal.sites.includes(siteId)) return undefined
  const found = catalog.sites.find(target.workspace.id, siteId)
  if (found === undefined || target.site?.request === undefined) return found
  if (target.site.id === siteId) return target.site
  throw new ServiceError(
    'site_mismatch',
    'The change request belongs to another site: leave out changeRequest, or name its site.',
  )
}

function withImplied(scopes: readonly Scope[]): readonly Scope[] {
  if (scopes.includes('admin')) return ['read', 'write', 'admin']
  if (scopes.includes('sites')) return ['read', 'write', 'sites']
  if (scopes.includes('write')) return ['read', 'write']
  return scopes.includes('propose') ? ['read', 'propose'] : ['read']
}

/** The words by which the consent offers each scope. */
const WORDS_OF_CONSENT = {
  read: '"Read"',
  propose: '"Read, and try changes"',
  write: '"Read and write"',
  sites: '"Read, write, and make sites"',
} as const

/** Says which scope is missing: in the words of a key, or of a person's role. */
export function insufficientScope({ kind, person }: Principal, scope: Scope): ServiceError {
  const isOfPerson =
    kind === 'session' || (kind === 'agent' && !holdsScope(SCOPES_OF_ROLE[person?.role ?? 'viewer'], scope))
  if (kind === 'agent' && !isOfPerson)
    return new ServiceError(
      'insufficient_scope',
      scope === 'admin'
        ? 'No agent may do this: a person does it in the dashboard, or a key with the scope "admin".'
        : `This agent may not do this: connect it again and allow ${WORDS_OF_CONSENT[scope]}.`,
      { scope },
    )
  if (!isOfPerson || person === undefined)
    return new ServiceError('insufficient_scope', `This needs a key with the scope "${scope}".`, { scope })
  const message = `Your role here is ${person.role}, which does not allow this: ask an admin for another role.`
  return new ServiceError('insufficient_scope', message, { scope })
}
