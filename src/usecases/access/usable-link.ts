// Finds a link to the past or to a change request that still holds: its maker could make it now, and the request is open.

import type { Catalog } from '../../catalog/catalog.js'
import type { SiteLink } from '../../catalog/links.js'
import type { Clock } from '../../model/clock.js'
import { holdsScope } from '../../model/rights/scopes.js'
import { isOpen } from '../context/change-request.js'
import { scopesIn } from '../context/target.js'
import { maySee } from '../protection/request-author.js'
import { rightsOfMaker } from './maker.js'

interface Parts {
  catalog: Pick<Catalog, 'agents' | 'changeRequests' | 'grants' | 'keys' | 'links' | 'members' | 'sites' | 'users'>
  clock: Clock
}

/** Synchronous, as every request to the link's host asks it. Links of before that name no maker hold until they expire. */
export function findLink({ catalog, clock }: Parts, id: string): SiteLink | undefined {
  const link = catalog.links.find(id)
  const site = link && catalog.sites.findByIdPrefix(link.siteId)[0]
  if (link === undefined || site === undefined || link.madeBy === null) return link
  const { workspaceId } = site
  const { madeBy } = link
  const request = link.request === undefined ? undefined : catalog.changeRequests.find(link.request)
  if (link.request !== undefined && !(request !== undefined && isOpen(request))) return undefined
  const mayMake = rightsOfMaker({ catalog, clock }, workspaceId, madeBy).some((maker) => {
    if (maker.sites !== null && !maker.sites.includes(site.id)) return false
    const scopes = scopesIn({ catalog }, maker, workspaceId)
    if (request === undefined) return holdsScope(scopes, 'write')
    return holdsScope(scopes, 'propose') && maySee(request, { ...maker, id: madeBy.split(' ')[1] ?? '' }, scopes)
  })
  return mayMake ? link : undefined
}
