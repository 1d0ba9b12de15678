// Authenticates a session of the dashboard. It gives a request what a key gives, with the rights that its person has at that time.

import type { Catalog } from '../../catalog/catalog.js'
import type { Session } from '../../catalog/people/sessions.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey } from '../../model/key-format.js'
import type { Principal } from '../../model/principal.js'
import { SCOPES } from '../../model/rights/scopes.js'
import { isStillLent } from './loans.js'
import { boundBy, personOf } from './person.js'

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
  const bound = loan === null ? {} : { lentBy: loan.makerIds }
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
  const { kind, id, person, workspaceId, lentBy } = principal
  if (kind !== 'session' || person === undefined) return []
  return workspacesOpenTo(catalog, { id, userId: person.id, only: lentBy === undefined ? undefined : workspaceId })
}

/** Leaves out those in which an admin ended the session. `only` is the workspace of a borrowed one. */
function workspacesOpenTo(
  { members, closedSessions }: Pick<Catalog, 'members' | 'closedSessions'>,
  { id, userId, only }: { id: string; userId: string; only: string | undefined },
): string[] {
  const all = members.workspacesOf(userId)
  return all.filter((one) => (only === undefined || one === only) && !closedSessions.has(id, one))
}

function ended(): ServiceError {
  return new ServiceError('unauthenticated', 'The session has ended: sign in again.')
}

export function noMember(): ServiceError {
  return new ServiceError('unauthenticated', 'You are no longer a member here: ask an owner for an invitation.')
}
