// The members of a workspace: list, change the role, remove. A change counts at the person's next request.

import type { MemberData, OneMemberData } from '../../../schemas/people.js'
import type { Member } from '../../catalog/people/members.js'
import { ServiceError } from '../../model/errors.js'
import { BY_HAND, joinRights, type Rights, type Role, type SourcedRights } from '../../model/rights/roles.js'
import type { Call } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { takeSlice } from '../context/slice.js'
import { offersTo } from './hand-over.js'
import { refuseBesideProtected } from './protected-workspace.js'
import { mayChange, parseRights, refuseForeign } from './roles.js'

/** Lists the members by name. A caller limited to sites sees those whose rights are a part of them. */
export async function listMembers(
  call: Call<'catalog'>,
  { cursor, limit = DEFAULT_LIMIT }: SliceInput,
): Promise<Result<MemberData[]>> {
  const { catalog } = call
  const members = await catalog.members.list(call.target.workspace.id)
  const { sites } = call.principal
  const seen = sites === null ? members : members.filter(({ rights }) => mayChange(call, rights))
  const sorted = seen.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  const { rows, nextCursor } = takeSlice('members', sorted, keyOf, { cursor, limit })
  return { data: rows.map(toMemberData), nextCursor }
}

/** Shows a member with the keys and agents that depend on the person. Throws `member_not_found`. */
export async function getMember(call: Call<'catalog'>, { id }: ResourceId): Promise<Result<OneMemberData>> {
  const { catalog } = call
  const member = await findMember(catalog, call, id)
  const keys = await catalog.personalKeys.list(call.target.workspace.id, member.userId)
  const held = keys.map(({ id: keyId, label, scopes, sites }) => ({ id: keyId, name: label, scopes, sites }))
  const agents = await catalog.agents.list(call.target.workspace.id, member.userId)
  const connected = agents.map(({ id: agentId, clientName, scopes, sites }) => ({
    id: agentId,
    name: clientName,
    scopes,
    sites,
  }))
  return { data: { ...toMemberData(member), keys: held, agents: connected } }
}

/**
 * Sets the role by hand; null takes that away. The caller must be allowed to change the rights before, and to give those that come of it.
 * Throws `member_not_found`, `forbidden_role`, `protected_workspace`, `last_owner`, and `conflict` if no rights would be left.
 */
export async function changeMember(
  call: Call<'catalog'>,
  input: ResourceId & { role: Role | null; sites?: readonly string[] | null },
): Promise<Result<MemberData>> {
  const { members } = call.catalog
  const { id: workspaceId } = call.target.workspace
  const before = await findMember(call.catalog, call, input.id)
  const { userId, sources } = before
  refuseForeign(call, before.rights)
  const others = sources.filter(({ source }) => source !== BY_HAND)
  const { role } = input
  const rights = role === null ? leftOf(others) : parseRights(call, { role, sites: input.sites })
  refuseForeign(call, rights)
  refuseBesideProtected(call, rights)
  const isChanged =
    role === null
      ? others.length === sources.length || (await members.take(workspaceId, userId, BY_HAND))
      : await members.setByHand(workspaceId, userId, rights)
  if (!isChanged) throw lastOwner()
  const after = role === null ? others : [{ ...rights, source: BY_HAND }, ...others]
  const details = { before: before.rights, after: role === null ? null : rights }
  await recordAudit(call, {
    action: 'member.change',
    target: `user ${userId}`,
    details,
    personal: { about: before.name },
  })
  return { data: toMemberData({ ...before, rights, sources: after }) }
}

/** Returns the rights that these sources give. Throws `conflict` if they give none. */
function leftOf(others: readonly SourcedRights[]): Rights {
  const left = joinRights(others)
  if (left !== undefined) return left
  throw new ServiceError(
    'conflict',
    'This person has no role but the one set by hand: set another role, or remove the person by DELETE /members/{id}.',
  )
}

/**
 * Ends the membership with the person's keys and agents. With `handTo`, offers the keys to that member (`hand-over.ts`). Throws
 * `member_not_found`, `forbidden_role`, `last_owner`, `invalid_query`.
 */
export async function removeMember(
  call: Call<'catalog' | 'clock' | 'newId'>,
  input: ResourceId & { handTo?: string },
): Promise<Result<{ id: string }>> {
  const { catalog } = call
  const { id: workspaceId } = call.target.workspace
  const member = await findMember(catalog, call, input.id)
  const { userId, rights, name } = member
  refuseForeign(call, rights)
  refuseBesideProtected(call)
  const heir = input.handTo === undefined ? undefined : await findMember(catalog, call, input.handTo)
  const offers = heir === undefined ? [] : await offersTo(call, member, heir)
  if (!(await catalog.members.take(workspaceId, userId))) throw lastOwner()
  await catalog.personalKeys.end(workspaceId, userId, offers)
  await catalog.agents.revokeAll(workspaceId, userId)
  const details = heir === undefined ? {} : { offeredTo: heir.userId, offers: offers.map(({ id }) => id) }
  await recordAudit(call, {
    action: 'member.remove',
    target: `user ${userId}`,
    details,
    personal: { about: name },
  })
  return { data: { id: userId } }
}

/** Finds a member whom the caller may see. Throws `member_not_found`. */
export async function findMember(catalog: Services['catalog'], call: Call, id: string): Promise<Member> {
  const members = await catalog.members.list(call.target.workspace.id)
  const member = members.find(({ userId }) => userId === id.toLowerCase())
  const { sites } = call.principal
  if (member !== undefined && (sites === null || mayChange(call, member.rights))) return member
  throw new ServiceError(
    'member_not_found',
    'There is no such member: GET /members lists the people of this workspace.',
  )
}

export function lastOwner(): ServiceError {
  return new ServiceError('last_owner', 'This is the last owner of the workspace: make another member an owner first.')
}

function keyOf({ name, userId }: Member): string {
  return `${name} ${userId}`
}

function toMemberData({ userId, name, rights, sources, joinedAt }: Member): MemberData {
  return {
    id: userId,
    name,
    role: rights.role,
    sites: rights.sites && [...rights.sites],
    sources: sources.map(({ source, role, sites }) => ({ source, role, sites: sites && [...sites] })),
    joinedAt,
  }
}
