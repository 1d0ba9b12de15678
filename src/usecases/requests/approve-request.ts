// Approvals of change requests: of the one commit that somebody looked at.

import type { ChangeRequestData } from '../../../schemas/change-requests.js'
import type { Approval } from '../../catalog/requests/approvals.js'
import { ServiceError } from '../../model/errors.js'
import { recordAudit } from '../context/audit.js'
import type { AtSite, Call, Finding } from '../context/call.js'
import { findRequest, refuseClosed } from '../context/change-request.js'
import type { ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { isApproved, refuseApproval } from './may-approve.js'
import type { Branch } from './merge-branches.js'
import { toRequestData } from './request-data.js'

/** Throws `change_request_closed`, `approval_refused`, and `conflict` if `commit` is not the head of the branch. */
export async function approveRequest(
  asked: Call<Finding>,
  input: ResourceId & { commit: string },
): Promise<Result<ChangeRequestData>> {
  const found = findRequest(asked, input.id)
  const { row, site } = found
  const { catalog, principal } = asked
  const call = { ...asked, site }
  refuseClosed(row)
  refuseApproval({ site, makers: catalog.requestMakers.list(row.id) }, principal)
  const head = call.store.reader.snapshot(site).commit
  const commit = input.commit.toLowerCase()
  if (commit !== head)
    throw new ServiceError(
      'conflict',
      'This is not its newest commit: look at what it changes now, and approve that.',
      { head },
    )
  const { person, label } = principal
  if (person === undefined) throw new Error('only people approve')
  await catalog.approvals.approve({ requestId: row.id, commit, userId: person.id, label })
  const details = { site: site.id, commit }
  await recordAudit(call, { action: 'change-request.approve', target: `change-request ${row.id}`, details })
  return { data: await toRequestData(call, found) }
}

/** Lists the approvals of the commit that hold now: somebody gave each who may do so now. */
export function approvalsOf(
  { catalog }: Pick<AtSite<'catalog'>, 'catalog'>,
  branch: Branch,
  commit: string,
): Approval[] {
  const { approvals, members, requestMakers } = catalog
  const asked = { site: branch, makers: requestMakers.list(branch.request) }
  const rightsOf = (userId: string) => members.rightsOf(branch.workspaceId, userId)
  return approvals.list(branch.request).filter((approval) => isApproved(asked, commit, [approval], rightsOf))
}
