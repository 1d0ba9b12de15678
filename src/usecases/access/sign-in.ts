// Signs in at the dashboard: the operator makes a link that works once and starts a session. A session authenticates requests as a key
// does.

import { randomBytes } from 'node:crypto'
import type { Catalog } from '../../catalog/catalog.js'
import { type Clock, type MakeId, toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey } from '../../model/key-format.js'
import { parseLabel } from '../../model/label.js'
import type { Principal } from '../../model/principal.js'
import type { Services } from '../context/services.js'

/** Short, since the operator opens the link at once. */
const LINK_LIFETIME_SECONDS = 15 * 60

export interface SignInParts {
  catalog: Catalog
  clock: Clock
}

export interface NewSession {
  /** The value of the browser's cookie. */
  secret: string
  /** RFC 3339. */
  expiresAt: string
  label: string
  workspaceId: string
}

/** Returns the token of a new sign-in link. Commits of its session name `label` as author. Throws `invalid_body` for a bad label. */
export async function makeSignInToken(
  { catalog, clock }: SignInParts,
  workspaceId: string,
  label: string,
): Promise<string> {
  const token = mintSecret()
  const expiresAt = toTimestamp(toSeconds(clock()) + LINK_LIFETIME_SECONDS)
  await catalog.sessions.addLink({ hash: hashKey(token), workspaceId, label: parseLabel(label), expiresAt })
  return token
}

/** Uses up the link, ends the browser's former session and starts a new one. Throws `sign_in_link_invalid`. */
export async function signIn(
  { catalog, clock, newId, limits }: SignInParts & { newId: MakeId } & Pick<Services, 'limits'>,
  token: string,
  before: string | undefined,
): Promise<NewSession> {
  const { sessions } = catalog
  const link = await sessions.takeLink(hashKey(token))
  if (link === undefined) {
    throw new ServiceError(
      'sign_in_link_invalid',
      'This link was already used or has expired: make another with "palimpsest login-link".',
    )
  }
  if (before !== undefined) await sessions.end(hashKey(before))
  const secret = mintSecret()
  const now = toSeconds(clock())
  const expiresAt = toTimestamp(now + limits.sessionDays * 86_400)
  await sessions.create({ id: newId(), hash: hashKey(secret), ...link, expiresAt, createdAt: toTimestamp(now) })
  return { secret, expiresAt, ...link }
}

/** Returns the owner of a session, who administers its workspace. Throws `unauthenticated` once the session has ended. */
export function authenticateSession({ catalog }: Pick<Services, 'catalog'>, secret: string): Principal {
  const session = catalog.sessions.findByHash(hashKey(secret))
  if (session === undefined) {
    throw new ServiceError('unauthenticated', 'The session has ended: sign in again with "palimpsest login-link".')
  }
  const { id, label, workspaceId } = session
  return { kind: 'session', id, label, workspaceId, scopes: ['admin'], sites: null, expiresAt: null }
}

/** Ends the session or, with `everywhere`, all sessions of its workspace. */
export async function signOut(
  { catalog }: Pick<Services, 'catalog'>,
  secret: string,
  everywhere: boolean,
): Promise<void> {
  const session = catalog.sessions.findByHash(hashKey(secret))
  if (everywhere && session !== undefined) await catalog.sessions.endAll(session.workspaceId)
  else await catalog.sessions.end(hashKey(secret))
}

/** Returns 256 random bits, in characters that need no quoting in a cookie or a URL. */
function mintSecret(): string {
  return randomBytes(32).toString('base64url')
}
