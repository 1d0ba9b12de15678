// Signs in by a link, which works once: the operator makes it for the first owner and for emergencies, an owner for a member.

import type { MemberLinkData } from '../../../schemas/account.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { Loan } from '../../catalog/people/loans.js'
import type { Member } from '../../catalog/people/members.js'
import { type Clock, type MakeId, toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey } from '../../model/key-format.js'
import { parseLabel } from '../../model/label.js'
import { mayLend } from '../access/loans.js'
import type { Call } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import type { ResourceId } from '../context/input.js'
import type { RequestOrigin } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import { personOfSession } from '../people/account.js'
import { findMember } from '../people/members.js'
import { isOwner } from '../people/roles.js'
import { beginSession, type NewSession, type SessionParts } from './sessions.js'
import { mintSecret } from '../../model/key-format.js'

/** Short, since the operator opens the link at once. */
const OPERATOR_LINK_SECONDS = 15 * 60
/** Long enough to reach somebody in another time zone. */
const MEMBER_LINK_SECONDS = 24 * 3600
/** The name of the first person, until it is changed. */
const FIRST_NAME = 'Owner'

export interface SignInParts {
  catalog: Catalog
  clock: Clock
}

/** The person that a link lets in: by id, or as `findMeant` finds the name. */
export interface LinkFor {
  userId?: string
  label?: string | undefined
  /** Given for a link that an owner makes; the operator's links have none. */
  loan?: Loan
}

/** Returns the token of a new sign-in link. Throws as `findMeant` does. */
export async function makeSignInToken(
  { catalog, clock }: SignInParts,
  workspaceId: string,
  { userId, label, loan }: LinkFor,
  lifetimeSeconds = OPERATOR_LINK_SECONDS,
): Promise<string> {
  const token = mintSecret()
  const expiresAt = toTimestamp(toSeconds(clock()) + lifetimeSeconds)
  const meant = userId ?? (await findMeant(catalog, workspaceId, label))?.userId
  await catalog.sessions.addLink({
    hash: hashKey(token),
    workspaceId,
    label: parseLabel(label ?? FIRST_NAME),
    ...(meant !== undefined && { userId: meant }),
    expiresAt,
    ...(loan && { loan }),
  })
  return token
}

/**
 * Makes a link that signs a member in to this workspace alone, once. The member's other ways to sign in stay. It ends with the role of the
 * owner. Throws `member_not_found`, `forbidden_role`, `borrowed_session`, and `conflict` for a member of a workspace that
 * the owner does not own.
 */
export async function makeMemberLink(
  call: Call<'baseUrl' | 'catalog' | 'clock'>,
  input: ResourceId,
): Promise<Result<MemberLinkData>> {
  const { catalog, clock, baseUrl, principal, target } = call
  const { userId, name } = await findMember(catalog, call, input.id)
  if (!isOwner(principal) || principal.person === undefined)
    throw new ServiceError('forbidden_role', 'Only an owner who is signed in makes such a link: ask an owner.')
  const loan = { workspaceId: target.workspace.id, makerIds: [personOfSession(call).id] }
  if (!mayLend(catalog, loan, userId))
    throw new ServiceError(
      'conflict',
      'This person is also a member of a workspace that you do not own: have the operator run "palimpsest login-link".',
    )
  const token = await makeSignInToken(call, target.workspace.id, { userId, loan }, MEMBER_LINK_SECONDS)
  const expiresAt = toTimestamp(toSeconds(clock()) + MEMBER_LINK_SECONDS)
  await recordAudit(call, {
    action: 'member.sign_in_link',
    target: `user ${userId}`,
    details: { expiresAt },
    personal: { about: name },
  })
  return { data: { url: `${baseUrl}/sign-in#${token}`, expiresAt } }
}

/**
 * Uses up the link, ends the browser's former session and starts a new one. Asks again whether an owner may still make such a link. Throws
 * `sign_in_link_invalid`.
 */
export async function signIn(
  parts: SessionParts,
  token: string,
  { before, ...from }: RequestOrigin & { before?: string | undefined },
): Promise<NewSession> {
  const { catalog } = parts
  const link = await catalog.sessions.takeLink(hashKey(token))
  if (link === undefined) throw linkInvalid()
  const userId = link.userId ?? (await makeOwner(parts, link, from))
  const { workspaceId, loan } = link
  if (loan !== null && !mayLend(catalog, loan, userId)) throw linkInvalid()
  return await beginSession(parts, { userId, workspaceId, means: 'link', loan, ...from }, before)
}

function linkInvalid(): ServiceError {
  return new ServiceError(
    'sign_in_link_invalid',
    'This link was already used, has expired or was taken back: ask an owner for another, or make one on the server with "palimpsest login-link".',
  )
}

/**
 * Finds the member whom the operator means by a name or an id; without one, the first owner. Undefined if there is none: a link then makes an
 * owner. Throws `conflict` for a name that several members have, and `invalid_body` for a bad name.
 */
export async function findMeant(
  { members }: Pick<Catalog, 'members'>,
  workspaceId: string,
  nameOrId?: string,
): Promise<Member | undefined> {
  const all = await members.list(workspaceId)
  if (nameOrId === undefined) return firstOf(all)
  const byId = all.find(({ userId }) => userId === nameOrId.toLowerCase())
  if (byId !== undefined) return byId
  const label = parseLabel(nameOrId)
  const [member, ...others] = all.filter(({ name }) => name === label)
  if (others.length === 0) return member
  const listed = [member, ...others].flatMap((each) =>
    each === undefined ? [] : `${each.userId} (${each.rights.role})`,
  )
  throw new ServiceError('conflict', `Several members have the name ${label}. Name one by id: ${listed.join(', ')}.`)
}

/** Whether the workspace has an owner who is a person. */
export async function hasOwner(catalog: Catalog, workspaceId: string): Promise<boolean> {
  return (await findMeant(catalog, workspaceId)) !== undefined
}

function firstOf(members: readonly Member[]): Member | undefined {
  const owners = members.filter(({ rights }) => rights.role === 'owner')
  return owners.toSorted((one, other) => (one.joinedAt < other.joinedAt ? -1 : 1))[0]
}

async function makeOwner(
  { catalog, clock, newId }: { catalog: Catalog; clock: Clock; newId: MakeId },
  { workspaceId, label }: { workspaceId: string; label: string },
  from: RequestOrigin,
): Promise<string> {
  const userId = newId()
  await catalog.users.create({ id: userId, name: label, createdAt: toTimestamp(toSeconds(clock())) })
  await catalog.members.give({ workspaceId, userId, role: 'owner', sites: null, source: 'link' })
  await catalog.audit.record({
    workspaceId,
    actor: { kind: 'nobody', id: '', userId },
    action: 'member.add',
    target: `user ${userId}`,
    details: { role: 'owner', source: 'link' },
    personal: { name: label, about: label, ...from },
  })
  return userId
}
