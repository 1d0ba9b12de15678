// Sessions of people at the dashboard. A session authenticates requests as a key does, with the rights that its person has at that time.

import { randomBytes } from 'node:crypto'
import type { Catalog } from '../../catalog/catalog.js'
import type { Loan } from '../../catalog/people/loans.js'
import type { Session, SessionMeans } from '../../catalog/people/sessions.js'
import { type Clock, type MakeId, toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey } from '../../model/key-format.js'
import type { Limits } from '../../model/limits.js'
import type { Principal } from '../../model/principal.js'
import { SCOPES } from '../../model/rights/scopes.js'
import type { RequestOrigin } from '../context/request-context.js'
import { isStillLent } from './loans.js'
import { boundBy, personOf } from './person.js'

export interface SessionParts {
  catalog: Catalog
  clock: Clock
  newId: MakeId
  limits: Pick<Limits, 'sessionDays'>
}

/** The proof by which a session begins. */
export interface Proof {
  userId: string
  /** The workspace that requests mean if they name none. */
  workspaceId: string
  means: SessionMeans
  /** Binds the session to what an owner lent. It proves nothing about the person. */
  loan?: Loan | null
  /** Browser and system. */
  device?: string | undefined
  /** IP address, for the audit log. */
  address?: string | undefined
  /** The identity provider, and its session. */
  issuer?: string
  providerSession?: string
  /** When the person proved who they are, in seconds since the epoch. Default: now. */
  provenAt?: number | undefined
}

export interface NewSession {
  id: string
  /** The value of the browser's cookie. */
  secret: string
  /** RFC 3339. */
  expiresAt: string
  label: string
  userId: string
  workspaceId: string
}

/** Returns the time at which a session that begins now expires. */
export function sessionExpiry({ clock, limits }: Pick<SessionParts, 'clock' | 'limits'>): string {
  return toTimestamp(toSeconds(clock()) + limits.sessionDays * 86_400)
}

/** Ends the browser's former session (`before` is its secret), and starts a new one with a new secret. */
export async function beginSession(
  { catalog, clock, newId, limits }: SessionParts,
  proof: Proof,
  before?: string,
): Promise<NewSession> {
  const { userId, workspaceId, means, loan = null, device, address, issuer, providerSession, provenAt } = proof
  const user = catalog.users.find(userId)
  if (user === undefined) throw noMember()
  if (before !== undefined) await catalog.sessions.end(hashKey(before))
  const secret = mintSecret()
  const now = toSeconds(clock())
  const times = { expiresAt: sessionExpiry({ clock, limits }), createdAt: toTimestamp(now) }
  const session = { id: newId(), workspaceId, label: user.name, userId, ...times }
  await catalog.sessions.create({
    ...session,
    hash: hashKey(secret),
    means,
    loan,
    provenAt: loan === null ? toTimestamp(Math.floor(Math.min(provenAt ?? now, now))) : null,
    seenAt: times.createdAt,
    ...(device !== undefined && { device }),
    ...(issuer !== undefined && { issuer }),
    ...(providerSession !== undefined && { providerSession }),
  })
  const { id, expiresAt, label } = session
  await catalog.audit.record({
    workspaceId,
    actor: { kind: 'session', id, userId },
    action: 'session.begin',
    target: `session ${id}`,
    details: { means, ...(issuer !== undefined && { issuer }), ...(loan !== null && { lentBy: loan.makerIds }) },
    personal: { name: label, ...(address !== undefined && { address }), ...(device !== undefined && { device }) },
  })
  return { id, secret, expiresAt, label, userId, workspaceId }
}

/** Finds the session of a browser. Undefined once it has ended; what an owner lent also ends with the role of that owner. */
export function findSession({ catalog }: { catalog: Catalog }, secret: string): Session | undefined {
  const session = catalog.sessions.findByHash(hashKey(secret))
  return session?.loan != null && !isStillLent(catalog, session.loan) ? undefined : session
}

/**
 * Returns the principal of a session in a workspace: the wanted one if it opens that, else its own, else any. A borrowed one opens its own
 * alone. Throws `unauthenticated` once the session has ended, and for somebody who is no longer a member anywhere.
 */
export function authenticateSession({ catalog }: { catalog: Catalog }, secret: string, wanted?: string): Principal {
  const session = findSession({ catalog }, secret)
  if (session === undefined) throw ended()
  catalog.sessions.see(session)
  const { id, userId, loan } = session
  if (userId === null) {
    const { label, workspaceId } = session
    return { kind: 'session', id, label, workspaceId, scopes: ['admin'], sites: null, expiresAt: null }
  }
  const opened = workspacesOpenTo(catalog, { id, userId, only: loan?.workspaceId })
  const bound = loan === null ? {} : { isBorrowed: true }
  for (const workspaceId of [wanted?.toLowerCase() ?? '', session.workspaceId, ...opened]) {
    const here = opened.includes(workspaceId) ? personOf(catalog, workspaceId, userId) : undefined
    if (here === undefined) continue
    const { name: label } = here.person
    return { kind: 'session', id, label, workspaceId, ...boundBy(here, SCOPES, null), ...bound, expiresAt: null }
  }
  throw catalog.members.workspacesOf(userId).length === 0 ? noMember() : ended()
}

/** Lists the workspaces that the session of a principal opens; none for other principals, and for sessions without a person. */
export function workspacesOpened({ catalog }: { catalog: Catalog }, principal: Principal): string[] {
  const { kind, id, person, workspaceId, isBorrowed = false } = principal
  if (kind !== 'session' || person === undefined) return []
  return workspacesOpenTo(catalog, { id, userId: person.id, only: isBorrowed ? workspaceId : undefined })
}

/** Leaves out those in which an admin ended the session. `only` is the workspace of a borrowed one. */
function workspacesOpenTo(
  { members, closedSessions }: Pick<Catalog, 'members' | 'closedSessions'>,
  { id, userId, only }: { id: string; userId: string; only: string | undefined },
): string[] {
  const all = members.workspacesOf(userId)
  return all.filter((one) => (only === undefined || one === only) && !closedSessions.has(id, one))
}

/** Ends the session or, with `everywhere`, all sessions of its person; of an unnamed owner, all of the workspace. A borrowed one ends alone. */
export async function signOut(
  { catalog }: { catalog: Catalog },
  secret: string,
  everywhere: boolean,
  from: RequestOrigin = {},
): Promise<void> {
  const { sessions } = catalog
  const session = sessions.findByHash(hashKey(secret))
  if (session === undefined) return
  const { id, userId, workspaceId, label, loan } = session
  const isOfAll = everywhere && loan === null
  if (!isOfAll) await sessions.end(hashKey(secret))
  else if (userId === null) await sessions.endAll(workspaceId)
  else await sessions.endAllOf(userId)
  await catalog.audit.record({
    workspaceId,
    actor: { kind: 'session', id, ...(userId !== null && { userId }) },
    action: isOfAll ? 'session.end_all' : 'session.end',
    target: isOfAll && userId !== null ? `user ${userId}` : `session ${id}`,
    personal: { name: label, ...from },
  })
}

/** Returns 256 random bits, in characters that need no quoting in a cookie or a URL. */
export function mintSecret(): string {
  return randomBytes(32).toString('base64url')
}

function ended(): ServiceError {
  return new ServiceError('unauthenticated', 'The session has ended: sign in again.')
}

function noMember(): ServiceError {
  return new ServiceError('unauthenticated', 'You are no longer a member here: ask an owner for an invitation.')
}
