// Decides which caller may clone, fetch or push to a site's repository. Git's clients name a site by its slug, without a workspace.
// Everyone may read the repository of a site with `publicRepository`.

import type { Site } from '../../catalog/site.js'
import { noValidKey, ServiceError } from '../../model/errors.js'
import type { Principal } from '../../model/principal.js'
import { holdsScope, type Scope } from '../../model/rights/scopes.js'
import type { Services } from '../context/services.js'
import { insufficientScope, scopesIn } from '../context/target.js'

/** Stands for the workspace of a site that does not exist: the same checks run, and take as long. */
const NO_WORKSPACE = ''

/**
 * Returns the site with this slug if the caller has `scope` there; an undefined principal is a caller without a key. Throws
 * `unauthenticated`, `site_not_found` (also for sites that the caller may not see) and `insufficient_scope`.
 */
export function findRepository(
  services: Pick<Services, 'catalog'>,
  principal: Principal | undefined,
  slug: string,
  scope: Extract<Scope, 'read' | 'propose' | 'write'>,
): Site {
  const site = services.catalog.sites.readBySlug(slug)
  if (site?.publicRepository === true && scope === 'read') return site
  if (principal === undefined) throw noValidKey()
  const isOpen = principal.sites === null || (site !== undefined && principal.sites.includes(site.id))
  const scopes = isOpen ? scopesIn(services, principal, site?.workspaceId ?? NO_WORKSPACE) : []
  const isVisible = scopes.length > 0
  if (site === undefined || !(isVisible || site.publicRepository))
    throw new ServiceError('site_not_found', 'There is no such repository, or this key may not see it.')
  if (!(isVisible && holdsScope(scopes, scope))) throw insufficientScope(principal, scope)
  return site
}

/** Whether the caller may move main, as far as the site is not protected. The caller sees the site. */
export function mayPublish(
  services: Pick<Services, 'catalog'>,
  principal: Principal,
  { workspaceId }: Pick<Site, 'workspaceId'>,
): boolean {
  return holdsScope(scopesIn(services, principal, workspaceId), 'write')
}
