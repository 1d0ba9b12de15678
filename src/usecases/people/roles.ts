// Decides which roles a caller may give and take.

import { ServiceError } from '../../model/errors.js'
import { MAX_KEY_SITES } from '../../model/limits.js'
import type { Principal } from '../../model/principal.js'
import type { Rights, Role } from '../../model/rights/roles.js'
import type { Call } from '../context/call.js'
import { findSite } from '../context/target.js'

/** Whether the caller may do all: the operator, an owner, or a session that began before people had accounts. Keys and agents never may. */
export function isOwner({ kind, person }: Pick<Principal, 'kind' | 'person'>): boolean {
  if (kind === 'operator') return true
  return kind === 'session' && (person === undefined || person.role === 'owner')
}

/** Whether the caller may change rights like these: only owners change owners, and a caller limited to sites changes only what is there. */
export function mayChange(
  { principal }: { principal: Pick<Principal, 'kind' | 'person' | 'sites'> },
  { role, sites }: Rights,
): boolean {
  if (role === 'owner') return isOwner(principal)
  const { sites: own } = principal
  return own === null || (sites !== null && sites.every((site) => own.includes(site)))
}

/** Returns the rights that a body asks for. Throws `forbidden_role`, `site_not_found`, and `invalid_body` for an owner of some sites. */
export function parseRights(
  call: Call<'catalog'>,
  { role, sites }: { role: Role; sites?: readonly string[] | null | undefined },
): Rights {
  const ids = sites?.slice(0, MAX_KEY_SITES).map((id) => findSite(call, id).id) ?? call.principal.sites
  const rights = { role, sites: ids === null ? null : [...new Set(ids)] }
  if (role === 'owner' && rights.sites !== null)
    throw new ServiceError('invalid_body', 'An owner has all sites: leave out sites.', [
      { field: '/sites', message: 'is not for owners' },
    ])
  if (!mayChange(call, rights)) throw forbiddenRole()
  return rights
}

/** Refuses a caller limited to sites, for what concerns the whole workspace. Throws `insufficient_scope`. */
export function assertWholeWorkspace({ principal }: Call): void {
  if (principal.sites === null) return
  throw new ServiceError(
    'insufficient_scope',
    'This concerns the whole workspace, and your rights are limited to some of its sites: ask an admin of all sites.',
  )
}

/** Throws `forbidden_role` unless the caller may change rights like these. */
export function refuseForeign(call: Call, rights: Rights): void {
  if (!mayChange(call, rights)) throw forbiddenRole()
}

export function forbiddenRole(): ServiceError {
  return new ServiceError(
    'forbidden_role',
    'Only an owner who is signed in may do this. A caller limited to sites changes only the rights for those. Ask an owner.',
  )
}
