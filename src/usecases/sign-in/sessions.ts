// Begins and ends sessions of people at the dashboard, whatever way the person signed in.

import type { Catalog } from '../../catalog/catalog.js'
import type { Loan } from '../../catalog/people/loans.js'
import type { SessionMeans } from '../../catalog/people/sessions.js'
import { type Clock, type MakeId, toSeconds, toTimestamp } from '../../model/clock.js'
import { hashKey, mintSecret } from '../../model/key-format.js'
import type { Limits } from '../../model/limits.js'
import type { RequestOrigin } from '../context/request-context.js'
import { noMember } from '../access/authenticate-session.js'

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
