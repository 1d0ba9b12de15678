// Sessions of people at the dashboard. A session authenticates requests as a key does, with the rights that its person has at that time.

import { randomBytes } from 'node:crypto'
import type { Catalog } from '../../catalog/catalog.js'
import type { SessionMeans } from '../../catalog/people/sessions.js'
import { type Clock, type MakeId, toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey } from '../../model/key-format.js'
import type { Limits } from '../../model/limits.js'
import type { Principal } from '../../model/principal.js'
import { SCOPES } from '../../model/rights/scopes.js'
import type { RequestOrigin } from '../context/request-context.js'
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
  const { userId, workspaceId, means, device, address, issuer, providerSession, provenAt } = proof
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
    provenAt: toTimestamp(Math.floor(Math.min(provenAt ?? now, now))),
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
    details: { means, ...(issuer !== undefined && { issuer }) },
    personal: { name: label, ...(address !== undefined && { address }), ...(device !== undefined && { device }) },
  })
  return { id, secret, expiresAt, label, userId, workspaceId }
}

/**
 * Returns the principal of a session in a workspace: the wanted one if its person is a member there, else the session's own. Throws
 * `unauthenticated` once the session has ended, and for somebody who is no longer a member anywhere.
 */
export function authenticateSession({ catalog }: { catalog: Catalog }, secret: string, wanted?: string): Principal {
  const session = catalog.sessions.findByHash(hashKey(secret))
  if (session === undefined) throw new ServiceError('unauthenticated', 'The session has ended: sign in again.')
  catalog.sessions.see(session)
  const { id, userId } = session
  if (userId === null) {
    const { label, workspaceId } = session
    return { kind: 'session', id, label, workspaceId, scopes: ['admin'], sites: null, expiresAt: null }
  }
  for (const workspaceId of workspacesToTry(catalog, userId, session.workspaceId, wanted)) {
    const here = personOf(catalog, workspaceId, userId)
    if (here === undefined) continue
    const { name: label } = here.person
    return { kind: 'session', id, label, workspaceId, ...boundBy(here, SCOPES, null), expiresAt: null }
  }
  throw noMember()
}

function* workspacesToTry({ members }: Catalog, userId: string, own: string, wanted?: string): Iterable<string> {
  if (wanted !== undefined) yield wanted.toLowerCase()
  yield own
  yield* members.workspacesOf(userId)
}

/** Ends the session or, with `everywhere`, all sessions of its person; of an unnamed owner, all of the workspace. */
export async function signOut(
  { catalog }: { catalog: Catalog },
  secret: string,
  everywhere: boolean,
  from: RequestOrigin = {},
): Promise<void> {
  const { sessions } = catalog
  const session = sessions.findByHash(hashKey(secret))
  if (session === undefined) return
  const { id, userId, workspaceId, label } = session
  if (!everywhere) await sessions.end(hashKey(secret))
  else if (userId === null) await sessions.endAll(workspaceId)
  else await sessions.endAllOf(userId)
  await catalog.audit.record({
    workspaceId,
    actor: { kind: 'session', id, ...(userId !== null && { userId }) },
    action: everywhere ? 'session.end_all' : 'session.end',
    target: everywhere && userId !== null ? `user ${userId}` : `session ${id}`,
    personal: { name: label, ...from },
  })
}

/** Returns 256 random bits, in characters that need no quoting in a cookie or a URL. */
export function mintSecret(): string {
  return randomBytes(32).toString('base64url')
}

function noMember(): ServiceError {
  return new ServiceError('unauthenticated', 'You are no longer a member here: ask an owner for an invitation.')
}
