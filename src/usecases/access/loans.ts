// Decides what an owner's link for a member is worth, each time that it, or what came of it, is used.

import type { Catalog } from '../../catalog/catalog.js'
import type { Loan } from '../../catalog/people/loans.js'
import { ServiceError } from '../../model/errors.js'

type Parts = Pick<Catalog, 'members'>

/** Whether all who made it still are owners of its workspace. */
export function isStillLent({ members }: Parts, { workspaceId, makerIds }: Loan): boolean {
  return workspaceId !== '' && makerIds.every((id) => members.rightsOf(workspaceId, id)?.role === 'owner')
}

/**
 * Whether its makers may make a link that signs the person in. They must own this workspace, of which the person is a member, and every
 * other one that has the person.
 */
export function mayLend({ members }: Parts, { workspaceId, makerIds }: Loan, userId: string): boolean {
  const all = members.workspacesOf(userId)
  return all.includes(workspaceId) && all.every((id) => isStillLent({ members }, { workspaceId: id, makerIds }))
}

/** Refuses what concerns the whole account of a person to a session that an owner lent. */
export function borrowedSession(): ServiceError {
  return new ServiceError(
    'borrowed_session',
    'An owner\'s link opened this session, for this workspace alone. Sign in by a way of your own, or ask the operator to run "palimpsest login-link" for you.',
  )
}
