// Comes in by an invitation: a person who is signed in joins and stays signed in; a new person gets a session.

import { ServiceError } from '../../model/errors.js'
import { findSession } from '../access/authenticate-session.js'
import { borrowedSession } from '../access/loans.js'
import type { RequestOrigin } from '../context/request-context.js'
import { acceptInvitation } from '../people/accept-invitation.js'
import { beginSession, type NewSession, type SessionParts } from './sessions.js'

export interface Joined {
  workspaceId: string
  /** The session of a new person. */
  begun?: NewSession
}

/**
 * Makes the person a member. `session` is the secret of the browser's session. Throws as `acceptInvitation` does, and `borrowed_session`
 * for a session that an owner lent: it takes no invitation.
 */
export async function joinByInvitation(
  call: SessionParts & { session: string | undefined; from: RequestOrigin },
  { token, name }: { token: string; name?: string },
): Promise<Joined> {
  const { session: secret, from } = call
  const session = secret === undefined ? undefined : findSession(call, secret)
  if (session?.loan != null) throw borrowedSession()
  if (session !== undefined && session.userId !== null) {
    const { workspaceId } = await acceptInvitation(call, { token, from, userId: session.userId })
    await call.catalog.sessions.enter(session.id, workspaceId)
    return { workspaceId }
  }
  if (name === undefined)
    throw new ServiceError('invalid_body', 'name is missing: send your name, unless you are signed in.')
  const { workspaceId, userId } = await acceptInvitation(call, { token, from, name })
  return { workspaceId, begun: await beginSession(call, { userId, workspaceId, means: 'link', ...from }, secret) }
}
