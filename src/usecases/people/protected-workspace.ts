// Guards the people of a workspace that has a protected site: nobody gets round the protection by a second account.

import type { Catalog } from '../../catalog/catalog.js'
import { ServiceError } from '../../model/errors.js'
import type { Principal } from '../../model/principal.js'
import { isAtLeast, type Rights } from '../../model/rights/roles.js'
import type { Call } from '../context/call.js'
import { isOwner } from './roles.js'

type Caller = Pick<Principal, 'kind' | 'person'>
type Sites = Pick<Catalog, 'sites'>

/**
 * Whether the caller may change people so that somebody has these rights then. Beside a protected site no key and no agent changes people.
 * Where everybody needs an approval, only an owner makes people who can approve.
 */
export function maySetRights({ sites }: Sites, workspaceId: string, caller: Caller, rights?: Rights): boolean {
  if (isOwner(caller)) return true
  const guarded = sites.protectedIn(workspaceId)
  if (guarded.length === 0) return true
  if (caller.kind !== 'session') return false
  return !guarded.some(
    ({ id, protection, approvers }) =>
      protection === 'all' &&
      rights !== undefined &&
      isAtLeast(rights.role, approvers) &&
      (rights.sites === null || rights.sites.includes(id)),
  )
}

/** Throws `protected_workspace` unless the caller may set these rights; without rights, for a change that gives none. */
export function refuseBesideProtected({ catalog, principal, target }: Call<'catalog'>, rights?: Rights): void {
  if (maySetRights(catalog, target.workspace.id, principal, rights)) return
  throw new ServiceError(
    'protected_workspace',
    principal.kind === 'session'
      ? 'A site of this workspace is protected, and this person could approve changes there: ask an owner.'
      : 'A site of this workspace is protected, so only people who are signed in invite, change and remove people.',
  )
}
