// Taking an invitation: looking at it, and becoming a member by it.

import type { InvitationView } from '../../../schemas/sign-in.js'
import { BY_INVITATION, type Invitation } from '../../catalog/people/invitations.js'
import { lowerAscii } from '../../model/ascii-case.js'
import { ServiceError } from '../../model/errors.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import { hashKey } from '../../model/key-format.js'
import { parseLabel } from '../../model/label.js'
import { joinRights, type Rights } from '../../model/rights/roles.js'
import type { RequestOrigin } from '../context/request-context.js'
import type { Services } from '../context/services.js'
import { findInviter } from './inviter.js'

type Parts = Pick<Services, 'catalog' | 'clock' | 'newId'>
type PartsToShow = Parts & Parameters<typeof siteUrlOf>[0]

/** The person who takes it: one who is known, or a new one with a name. */
export type Acceptance = { token: string; from?: RequestOrigin } & ({ userId: string } | { name: string }) & {
    /** An address that an identity provider has verified for this person now. */
    verifiedEmail?: string
  }

export interface Accepted {
  workspaceId: string
  userId: string
}

/** Shows an invitation to whoever has the link. Throws `invitation_invalid`. */
export function peekInvitation(services: PartsToShow, token: string): InvitationView {
  const { catalog } = services
  const invitation = findOpen(services, token)
  const { workspaceId, role, sites, email, expiresAt } = invitation
  const found = sites?.flatMap((id) => catalog.sites.find(workspaceId, id) ?? []) ?? null
  const [only, other] = found ?? []
  const isOne = only !== undefined && other === undefined
  const site = isOne ? { name: only.name ?? only.slug, url: siteUrlOf(services, only.slug) } : null
  const workspace = catalog.workspaces.find(workspaceId)?.name ?? ''
  const { label: invitedBy } = findInviter(services, invitation)
  return { workspace, role, sites: found?.map(({ slug }) => slug) ?? null, site, invitedBy, email, expiresAt }
}

/**
 * Makes the person a member, and uses up the invitation. A new person is made with it or not at all. Throws `invitation_invalid`,
 * `invitation_for_another`, `invalid_body` for a bad name, and `conflict` for a member to whom it gives nothing.
 */
export async function acceptInvitation(services: Parts, acceptance: Acceptance): Promise<Accepted> {
  const { catalog, newId } = services
  const { token, from } = acceptance
  const invitation = findOpenFor(services, acceptance)
  const { workspaceId } = invitation
  const isNew = !('userId' in acceptance)
  const userId = isNew ? newId() : acceptance.userId
  const name = isNew ? parseLabel(acceptance.name, 'name') : undefined
  const rights = isNew ? invitation : await rightsAfter(services, invitation, userId)
  const { role, sites } = rights
  if (!(await catalog.invitations.take(hashKey(token), { userId, role, sites, ...(name !== undefined && { name }) })))
    throw invalid()
  const label = name ?? catalog.users.find(userId)?.name ?? ''
  await catalog.audit.record({
    workspaceId,
    actor: { kind: 'nobody', id: '', userId },
    action: 'member.add',
    target: `user ${userId}`,
    details: { source: BY_INVITATION, invitation: invitation.id, role, sites },
    personal: { name: label, about: label, ...from },
  })
  return { workspaceId, userId }
}

/** Finds an invitation that somebody with this verified address can take. Throws `invitation_invalid` and `invitation_for_another`. */
export function findOpenFor(
  services: Parts,
  { token, verifiedEmail }: Pick<Acceptance, 'token' | 'verifiedEmail'>,
): Invitation {
  const invitation = findOpen(services, token)
  const { email } = invitation
  if (email !== null && (verifiedEmail === undefined || lowerAscii(verifiedEmail) !== email)) throw forAnother(email)
  return invitation
}

/** Finds an invitation that can be taken. An inviter who could no longer make it ends it. Throws `invitation_invalid`. */
function findOpen(services: Parts, token: string): Invitation {
  const invitation = services.catalog.invitations.findByHash(hashKey(token))
  if (invitation === undefined || !findInviter(services, invitation).mayInvite) throw invalid()
  return invitation
}

/** Returns the rights that invitations give a member with this one. Throws `conflict` if it changes nothing. */
async function rightsAfter({ catalog }: Parts, invitation: Invitation, userId: string): Promise<Rights> {
  const member = (await catalog.members.list(invitation.workspaceId)).find((each) => each.userId === userId)
  const given = { role: invitation.role, sites: invitation.sites, source: BY_INVITATION }
  if (member === undefined) return given
  const { sources, rights } = member
  const after = joinRights([...sources, given]) ?? given
  if (after.role === rights.role && String(after.sites) === String(rights.sites))
    throw new ServiceError(
      'conflict',
      `You are a member here already, as ${rights.role}, and this invitation adds nothing. An admin can change your role.`,
    )
  return joinRights([...sources.filter(({ source }) => source === BY_INVITATION), given]) ?? given
}

function invalid(): ServiceError {
  return new ServiceError(
    'invitation_invalid',
    'This invitation was already used, has expired or was taken back: ask for another one.',
  )
}

function forAnother(email: string): ServiceError {
  return new ServiceError(
    'invitation_for_another',
    `This invitation is for ${email} alone: sign in with the account of an identity provider that has this address.`,
  )
}
