// The rights of a person at the time of a request, which bound what sessions, personal keys and agents may do.

import type { Catalog } from '../../catalog/catalog.js'
import type { Person, Principal } from '../../model/principal.js'
import { holdsScope, type Scope, SCOPES } from '../../model/rights/scopes.js'
import { type Rights, SCOPES_OF_ROLE } from '../../model/rights/roles.js'

/** A person in one workspace. */
export interface PersonHere {
  person: Person
  rights: Rights
}

/** Returns the person with the rights in the workspace; undefined for somebody who is no member. */
export function personOf(
  { users, members }: Pick<Catalog, 'users' | 'members'>,
  workspaceId: string,
  userId: string,
): PersonHere | undefined {
  const rights = members.rightsOf(workspaceId, userId)
  const user = rights && users.find(userId)
  return rights && user && { rights, person: { id: user.id, name: user.name, role: rights.role } }
}

/** Returns the part of `scopes` and `sites` that the person has too. Null is every site. */
export function boundBy(
  { person, rights }: PersonHere,
  scopes: readonly Scope[],
  sites: readonly string[] | null,
): Pick<Principal, 'person' | 'scopes' | 'sites'> {
  const own = SCOPES_OF_ROLE[rights.role]
  const held = SCOPES.filter((scope) => holdsScope(scopes, scope) && holdsScope(own, scope))
  return { person, scopes: held, sites: bothSites(rights.sites, sites) }
}

/** Returns the sites of both. Null is every site. */
export function bothSites(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (one === null || other === null) return one ?? other
  return one.filter((site) => other.includes(site))
}
