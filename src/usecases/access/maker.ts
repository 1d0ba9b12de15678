// The maker of something that outlives a request, such as an invitation or a link to the past. What the maker could make now decides
// whether it still holds.

import type { Catalog } from '../../catalog/catalog.js'
import { isUsable } from '../../catalog/api-key.js'
import type { Clock } from '../../model/clock.js'
import type { Principal } from '../../model/principal.js'
import { type Scope, SCOPES } from '../../model/rights/scopes.js'
import { boundBy, personOf } from './person.js'

/** Rights of a maker in one workspace. */
export type MakerRights = Pick<Principal, 'kind' | 'person' | 'scopes' | 'sites' | 'workspaceId'>

interface Parts {
  catalog: Pick<Catalog, 'agents' | 'keys' | 'members' | 'users'>
  clock: Clock
}

/**
 * Returns the rights that a maker has now, in each workspace of its own; none once it has ended. A token, the operator and a session without
 * a person cannot be asked: what they made in `workspaceId` holds until its own end. Synchronous, as requests of visitors ask it.
 */
export function rightsOfMaker({ catalog, clock }: Parts, workspaceId: string, maker: string): MakerRights[] {
  const [kind = '', id = ''] = maker.split(' ')
  if (kind === 'user')
    return catalog.members.workspacesOf(id).flatMap((own) => bound(catalog, { kind: 'session', own, id }, SCOPES, null))
  if (kind === 'agent') {
    const agent = catalog.agents.findConnected(id)
    if (agent === undefined) return []
    return bound(catalog, { kind, own: agent.workspaceId, id: agent.userId }, agent.scopes, agent.sites)
  }
  if (kind !== 'key')
    return [{ kind: kind === 'operator' ? kind : 'session', scopes: SCOPES, sites: null, workspaceId }]
  const key = catalog.keys.findById(id)
  if (key === undefined || !isUsable(key, clock())) return []
  const { workspaceId: own, scopes, sites, userId } = key
  if (userId === null) return [{ kind, scopes, sites, workspaceId: own }]
  return bound(catalog, { kind, own, id: userId }, scopes, sites)
}

function bound(
  catalog: Parts['catalog'],
  { kind, own, id }: { kind: Principal['kind']; own: string; id: string },
  scopes: readonly Scope[],
  sites: readonly string[] | null,
): MakerRights[] {
  const here = personOf(catalog, own, id)
  return here === undefined ? [] : [{ kind, workspaceId: own, ...boundBy(here, scopes, sites) }]
}
