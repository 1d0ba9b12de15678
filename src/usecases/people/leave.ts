// Lets a person leave a workspace. Nobody else has to agree.

import { ServiceError } from '../../model/errors.js'
import { personOf } from '../access/person.js'
import { workspacesOpened } from '../access/authenticate-session.js'
import type { Call } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import type { ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { lastOwner } from './members.js'

/**
 * Ends the caller's own membership of a workspace that the session opens, with the person's keys and agents there. Throws `person_required`,
 * `workspace_not_found` and `last_owner`.
 */
export async function leaveWorkspace(call: Call<'catalog'>, input: ResourceId): Promise<Result<{ id: string }>> {
  const { catalog, principal } = call
  if (principal.kind !== 'session' || principal.person === undefined)
    throw new ServiceError('person_required', 'Only people leave a workspace: sign in at the dashboard.')
  const { id: userId } = principal.person
  const id = workspacesOpened(call, principal).find((one) => one === input.id.toLowerCase())
  const workspace = id === undefined ? undefined : catalog.workspaces.find(id)
  const here = workspace && personOf(catalog, workspace.id, userId)
  if (workspace === undefined || here === undefined)
    throw new ServiceError('workspace_not_found', 'You are in no such workspace: GET /accounts lists yours.')
  if (!(await catalog.members.take(workspace.id, userId))) throw lastOwner()
  await catalog.personalKeys.end(workspace.id, userId)
  await catalog.agents.revokeAll(workspace.id, userId)
  const left = { ...call, target: { ...call.target, workspace } }
  await recordAudit({ ...call, ...left }, { action: 'member.leave', target: `user ${userId}` })
  return { data: { id: workspace.id } }
}
