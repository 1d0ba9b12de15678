// The invitations of a workspace: list, make, revoke. The link is in one answer only.

import type { DeletedData } from '../../../schemas/common.js'
import type { InvitationData, NewInvitationData } from '../../../schemas/invitations.js'
import type { Invitation } from '../../catalog/people/invitations.js'
import { ageOf } from '../../catalog/row-age.js'
import { lowerAscii } from '../../model/ascii-case.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey, mintSecret } from '../../model/key-format.js'
import type { Role } from '../../model/rights/roles.js'
import { makerOf } from '../../model/principal.js'
import type { Call } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { takeSlice } from '../context/slice.js'
import { findInviter } from './inviter.js'
import { refuseBesideProtected } from './protected-workspace.js'
import { mayChange, parseRights } from './roles.js'

const DEFAULT_LIFETIME_SECONDS = 7 * 86_400

/** Lists those that can be taken, the oldest first. A caller limited to sites sees those for a part of them. */
export async function listInvitations(
  call: Call<'catalog' | 'clock'>,
  { cursor, limit = DEFAULT_LIMIT }: SliceInput,
): Promise<Result<InvitationData[]>> {
  const { catalog } = call
  const open = await catalog.invitations.list(call.target.workspace.id)
  const seen = open.filter((invitation) => isSeen(call, invitation))
  const { rows, nextCursor } = takeSlice('invitations', seen, ageOf, { cursor, limit })
  return { data: rows.map((row) => toInvitationData(call, row)), nextCursor }
}

/** Makes an invitation. It ends with the key or token that makes it. Throws `forbidden_role` and `site_not_found`. */
export async function createInvitation(
  call: Call<'baseUrl' | 'catalog' | 'clock' | 'idempotency' | 'newId'>,
  input: { role: Role; sites?: readonly string[] | null; email?: string; expiresIn?: number },
): Promise<Result<NewInvitationData>> {
  const { catalog, clock, newId, baseUrl, principal, target } = call
  const rights = parseRights(call, input)
  refuseBesideProtected(call, rights)
  return await call.idempotency.once(call, { input, isSecret: true }, async () => {
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
    await recordAudit(call, { action: 'invitation.create', target: `invitation ${id}`, details })
    const data = { ...toInvitationData(call, invitation), url: `${baseUrl}/join#${token}` }
    return { result: { data, created: true, location: `/invitations/${id}` }, committed: false }
  })
}

/** Ends an invitation. Throws `invitation_not_found`. */
export async function revokeInvitation(call: Call<'catalog'>, input: ResourceId): Promise<Result<DeletedData>> {
  const { invitations } = call.catalog
  const { id: workspaceId } = call.target.workspace
  const id = input.id.toLowerCase()
  const found = await invitations.find(workspaceId, id)
  const isRevoked = found !== undefined && isSeen(call, found) && (await invitations.revoke(workspaceId, id))
  if (!isRevoked)
    throw new ServiceError(
      'invitation_not_found',
      'There is no such invitation: GET /invitations lists those that are open.',
    )
  await recordAudit(call, { action: 'invitation.revoke', target: `invitation ${id}` })
  return { data: { id } }
}

/** Whether the caller may see and end it. Admins also end invitations of owners. */
function isSeen(call: Call, { role, sites }: Invitation): boolean {
  return mayChange(call, { role: role === 'owner' ? 'admin' : role, sites })
}

function toInvitationData(call: Call<'catalog' | 'clock'>, invitation: Invitation): InvitationData {
  const { id, role, sites, email, expiresAt, createdAt } = invitation
  const { label } = findInviter(call, invitation)
  return { id, role, sites: sites && [...sites], email, invitedBy: label, expiresAt, createdAt }
}
