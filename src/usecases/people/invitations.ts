// The invitations of a workspace: list, make, revoke. The link is in one answer only.

import type { DeletedData } from '../../../schemas/common.js'
import type { InvitationData, NewInvitationData } from '../../../schemas/invitations.js'
import type { Invitation } from '../../catalog/people/invitations.js'
import { ageOf } from '../../catalog/row-age.js'
import { lowerAscii } from '../../model/ascii-case.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey } from '../../model/key-format.js'
import type { Role } from '../../model/rights/roles.js'
import { makerOf } from '../access/maker.js'
import { mintSecret } from '../access/sessions.js'
import { recordAudit } from '../context/audit.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { takeSlice } from '../context/slice.js'
import { findInviter } from './inviter.js'
import { mayChange, parseRights } from './roles.js'

type Parts = Pick<Services, 'catalog' | 'clock' | 'newId' | 'idempotency' | 'baseUrl'>

const DEFAULT_LIFETIME_SECONDS = 7 * 86_400

/** Lists those that can be taken, the oldest first. A caller limited to sites sees those for a part of them. */
export async function listInvitations(
  services: Parts,
  context: RequestContext,
  { cursor, limit = DEFAULT_LIMIT }: SliceInput,
): Promise<Result<InvitationData[]>> {
  const { catalog } = services
  const open = await catalog.invitations.list(context.target.workspace.id)
  const seen = open.filter((invitation) => isSeen(context, invitation))
  const { rows, nextCursor } = takeSlice('invitations', seen, ageOf, { cursor, limit })
  return { data: rows.map((row) => toInvitationData(services, row)), nextCursor }
}

/** Makes an invitation. It ends with the key or token that makes it. Throws `forbidden_role` and `site_not_found`. */
export async function createInvitation(
  services: Parts,
  context: RequestContext,
  input: { role: Role; sites?: readonly string[] | null; email?: string; expiresIn?: number },
): Promise<Result<NewInvitationData>> {
  const { catalog, clock, newId, baseUrl } = services
  const { principal, target } = context
  const rights = parseRights(services, context, input)
  return await services.idempotency.once(context, { input, isSecret: true }, async () => {
    const now = toSeconds(clock())
    const end = toTimestamp(now + (input.expiresIn ?? DEFAULT_LIFETIME_SECONDS))
    const token = mintSecret()
    const invitation: Invitation = {
      id: newId(),
      hash: hashKey(token),
      workspaceId: target.workspace.id,
      ...rights,
      email: input.email === undefined ? null : lowerAscii(input.email),
      invitedBy: makerOf(principal),
      expiresAt: principal.expiresAt !== null && principal.expiresAt < end ? principal.expiresAt : end,
      createdAt: toTimestamp(now),
    }
    await catalog.invitations.create(invitation)
    const { id, email, expiresAt } = invitation
    const details = { ...rights, isForOneAddress: email !== null, expiresAt }
    await recordAudit(services, context, { action: 'invitation.create', target: `invitation ${id}`, details })
    const data = { ...toInvitationData(services, invitation), url: `${baseUrl}/join#${token}` }
    return { result: { data, created: true, location: `/invitations/${id}` }, committed: false }
  })
}

/** Ends an invitation. Throws `invitation_not_found`. */
export async function revokeInvitation(
  services: Parts,
  context: RequestContext,
  input: ResourceId,
): Promise<Result<DeletedData>> {
  const { invitations } = services.catalog
  const { id: workspaceId } = context.target.workspace
  const id = input.id.toLowerCase()
  const found = await invitations.find(workspaceId, id)
  const isRevoked = found !== undefined && isSeen(context, found) && (await invitations.revoke(workspaceId, id))
  if (!isRevoked)
    throw new ServiceError(
      'invitation_not_found',
      'There is no such invitation: GET /invitations lists those that are open.',
    )
  await recordAudit(services, context, { action: 'invitation.revoke', target: `invitation ${id}` })
  return { data: { id } }
}

/** Whether the caller may see and end it. Admins also end invitations of owners. */
function isSeen(context: RequestContext, { role, sites }: Invitation): boolean {
  return mayChange(context, { role: role === 'owner' ? 'admin' : role, sites })
}

function toInvitationData(services: Parts, invitation: Invitation): InvitationData {
  const { id, role, sites, email, expiresAt, createdAt } = invitation
  const { label } = findInviter(services, invitation)
  return { id, role, sites: sites && [...sites], email, invitedBy: label, expiresAt, createdAt }
}
