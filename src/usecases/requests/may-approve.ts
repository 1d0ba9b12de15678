// Decides who may approve a change request. Pure: callers bring the rows.

import type { RequestMaker } from '../../catalog/requests/makers.js'
import type { Approval } from '../../catalog/requests/approvals.js'
import type { Site } from '../../catalog/site.js'
import { ServiceError } from '../../model/errors.js'
import type { Principal } from '../../model/principal.js'
import { isAtLeast, type Rights } from '../../model/rights/roles.js'

export interface RequestToApprove {
  site: Pick<Site, 'id' | 'workspaceId' | 'protection' | 'approvers'>
  /** All who wrote to it. */
  makers: readonly RequestMaker[]
}

/** A member of the workspace of the site. */
export interface Approver {
  userId: string
  rights: Rights
}

type Approving = Pick<Principal, 'kind' | 'person' | 'lentBy' | 'sites' | 'workspaceId'>

/** Says why the caller may not approve; undefined if the caller may. */
export function whyNotApprove(request: RequestToApprove, principal: Approving): string | undefined {
  const { kind, person, lentBy, sites, workspaceId } = principal
  if (kind !== 'session' || person === undefined || lentBy !== undefined)
    return 'Only a person approves, in a session of their own: no key, no agent, and no session that an owner lent.'
  if (workspaceId !== request.site.workspaceId) return 'Only members of the workspace of the site approve.'
  return whyNotApprovedBy(request, { userId: person.id, rights: { role: person.role, sites } })
}

/** Does the same for a member, as the rights are now. */
export function whyNotApprovedBy({ site, makers }: RequestToApprove, { userId, rights }: Approver): string | undefined {
  if (!canApproveAt(site, rights)) return `Approving changes of this site needs the role ${site.approvers} there.`
  if (site.protection !== 'all') return undefined
  if (makers.some(({ madeBy }) => madeBy === `user ${userId}`))
    return 'You wrote a part of this yourself, so another person must approve it.'
  // It may have been anybody, also this person.
  if (makers.some(({ madeBy }) => madeBy.startsWith('session ')))
    return 'A session without a person wrote a part of this: sign in again, and propose it anew.'
  return undefined
}

/** Throws `approval_refused` unless the caller may approve the request. */
export function refuseApproval(request: RequestToApprove, principal: Approving): void {
  const reason = whyNotApprove(request, principal)
  if (reason !== undefined) throw new ServiceError('approval_refused', reason)
}

/** Whether an approval of the commit holds: somebody gave it who may approve the request now. */
export function isApproved(
  request: RequestToApprove,
  commit: string,
  approvals: readonly Approval[],
  rightsOf: (userId: string) => Rights | undefined,
): boolean {
  return approvals.some((approval) => {
    const rights = approval.commit === commit ? rightsOf(approval.userId) : undefined
    return rights !== undefined && whyNotApprovedBy(request, { userId: approval.userId, rights }) === undefined
  })
}

/** Whether these rights are enough to approve changes of the site. */
export function canApproveAt({ id, approvers }: Pick<Site, 'id' | 'approvers'>, { role, sites }: Rights): boolean {
  return isAtLeast(role, approvers) && (sites === null || sites.includes(id))
}

/** Returns the members who could approve changes of the site. Under `all`, fewer than two mean that some changes cannot be approved. */
export function couldApprove<Member extends { rights: Rights }>(
  site: Pick<Site, 'id' | 'approvers'>,
  members: readonly Member[],
): Member[] {
  return members.filter(({ rights }) => canApproveAt(site, rights))
}
