// Lets a person leave a workspace. Nobody else has to agree.

import { ServiceError } from '../../model/errors.js'
import { personOf } from '../access/person.js'
import { workspacesOpened } from '../access/sessions.js'
import { recordAudit } from '../context/audit.js'
import type { ResourceId } from '../context/input.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { lastOwner } from './members.js'

/**
 * Ends the caller's own membership of a workspace that the session opens, with the person's keys and agents there. Throws `person_required`,
 * `workspace_not_found` and `last_owner`.
 */
export async function leaveWorkspace(
  services: Pick<Services, 'catalog' | 'clock'>,
  context: RequestContext,
  input: ResourceId,
): Promise<Result<{ id: string }>> {
  const { catalog } = services
  const { principal } = context
  if (principal.kind !== 'session' || principal.person === undefined)
    throw new ServiceError('person_required', 'Only people leave a workspace: sign in at the dashboard.')
  const { id: userId } = principal.person
  const id = workspacesOpened(services, principal).find((one) => one === input.id.toLowerCase())
  const workspace = id === undefined ? undefined : catalog.workspaces.find(id)
  const here = workspace && personOf(catalog, workspace.id, userId)
  if (workspace === undefined || here === undefined)
    throw new ServiceError('workspace_not_found', 'You are in no such workspace: GET /accounts lists yours.')
  if (!(await catalog.members.take(workspace.id, userId))) throw lastOwner()
  await catalog.personalKeys.end(workspace.id, userId)
  await catalog.agents.revokeAll(workspace.id, userId)
  const left = { ...context, target: { ...context.target, workspace } }
  await recordAudit(services, left, { action: 'member.leave', target: `user ${userId}` })
  return { data: { id: workspace.id } }
}
