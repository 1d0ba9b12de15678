// Finds a link to the past that still holds: whoever made it could make it now.

import type { Catalog } from '../../catalog/catalog.js'
import type { SiteLink } from '../../catalog/links.js'
import type { Clock } from '../../model/clock.js'
import { scopesIn } from '../context/target.js'
import { rightsOfMaker } from './maker.js'

interface Parts {
  catalog: Pick<Catalog, 'agents' | 'grants' | 'keys' | 'links' | 'members' | 'sites' | 'users'>
  clock: Clock
}

/** Synchronous, as every request to the link's host asks it. Links of before that name no maker hold until they expire. */
export function findLink({ catalog, clock }: Parts, id: string): SiteLink | undefined {
  const link = catalog.links.find(id)
  const site = link && catalog.sites.findByIdPrefix(link.siteId)[0]
  if (link === undefined || site === undefined || link.madeBy === null) return link
  const { workspaceId } = site
  const mayMake = rightsOfMaker({ catalog, clock }, workspaceId, link.madeBy).some(
    (maker) =>
      (maker.sites === null || maker.sites.includes(site.id)) &&
      scopesIn({ catalog }, maker, workspaceId).includes('write'),
  )
  return mayMake ? link : undefined
}
