// The account of a signed-in person: the name and the sessions. Keys and agents have none.

import type { AccountData, SessionData } from '../../../schemas/account.js'
import type { Session } from '../../catalog/people/sessions.js'
import { ServiceError } from '../../model/errors.js'
import { parseLabel } from '../../model/label.js'
import type { Person } from '../../model/principal.js'
import type { Call } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import type { ResourceId } from '../context/input.js'
import { borrowedSession, isStillLent } from '../access/loans.js'
import type { Result } from '../context/result.js'
import { findMember } from './members.js'
import { refuseForeign } from './roles.js'

/**
 * Returns the person of the session that asks. Throws `person_required` for other callers, and for sessions without a person. Throws
 * `borrowed_session` for one that an owner's link began, as the account is not the owner's.
 */
export function personOfSession({ principal }: Pick<Call, 'principal'>): Person {
  const { kind, person, lentBy } = principal
  if (lentBy !== undefined) throw borrowedSession()
  if (kind === 'session' && person !== undefined) return person
  throw new ServiceError(
    'person_required',
    'Only people have a profile: sign in at the dashboard. A session from before people had accounts ends with the next sign-in.',
  )
}

/** Sets the name that commits from now on have as their author. */
export async function renameMe(call: Call<'catalog'>, input: { name: string }): Promise<Result<AccountData>> {
  const { id } = personOfSession(call)
  const name = parseLabel(input.name, 'name')
  await call.catalog.users.rename(id, name)
  await recordAudit(call, { action: 'user.rename', target: `user ${id}`, personal: { name } })
  return { data: { id, name } }
}

/** Lists the sessions of the caller, the newest first. */
export async function listSessions(call: Call<'catalog'>): Promise<Result<SessionData[]>> {
  const { catalog } = call
  const all = await catalog.sessions.listOf(personOfSession(call).id)
  const sessions = all.filter(({ loan }) => loan === null || isStillLent(catalog, loan))
  return { data: sessions.slice(0, 1_000).map((session, at) => toData(session, sessions.slice(at + 1), call)) }
}

/** Ends all sessions of the caller; with `others`, all but this one. */
export async function endSessions(
  call: Call<'catalog'>,
  { others = false }: { others?: boolean },
): Promise<Result<{ id: string }>> {
  const { id } = personOfSession(call)
  await call.catalog.sessions.endAllOf(id, others ? call.principal.id : '')
  await recordAudit(call, { action: 'session.end_all', target: `user ${id}`, details: { others } })
  return { data: { id } }
}

/** Ends one session of the caller. Throws `session_not_found`. */
export async function endSession(call: Call<'catalog'>, input: ResourceId): Promise<Result<{ id: string }>> {
  const id = input.id.toLowerCase()
  if (!(await call.catalog.sessions.endOne(personOfSession(call).id, id)))
    throw new ServiceError('session_not_found', 'You have no such session: GET /me/sessions lists yours.')
  await recordAudit(call, { action: 'session.end', target: `session ${id}` })
  return { data: { id } }
}

/** Ends all sessions of a member in this workspace; those of the whole account go on in others. Throws `member_not_found`, `forbidden_role`. */
export async function endSessionsOfMember(call: Call<'catalog'>, input: ResourceId): Promise<Result<{ id: string }>> {
  const { userId, rights, name } = await findMember(call.catalog, call, input.id)
  refuseForeign(call, rights)
  await call.catalog.closedSessions.close(call.target.workspace.id, userId)
  await recordAudit(call, {
    action: 'session.end_all',
    target: `user ${userId}`,
    personal: { about: name },
  })
  return { data: { id: userId } }
}

function toData(session: Session, older: readonly Session[], { principal }: Call): SessionData {
  const { id, device, means, createdAt, seenAt, expiresAt, loan } = session
  const isBorrowed = loan !== null
  const isNewDevice = older.length > 0 && older.every((other) => other.device !== device)
  return { id, device, means, isThis: id === principal.id, isNewDevice, isBorrowed, createdAt, seenAt, expiresAt }
}
