// Begins a sign-in at an identity provider: remembers its secrets, and returns the URL to which the browser goes.

import type { PendingSignIn } from '../../catalog/people/pending-sign-ins.js'
import { toSeconds } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey } from '../../model/key-format.js'
import { borrowedSession } from '../access/loans.js'
import { refuseUnproven } from '../access/fresh-proof.js'
import { authenticateSession, findSession } from '../access/authenticate-session.js'
import { mintSecret } from '../../model/key-format.js'
import type { Services } from '../context/services.js'
import { findProvider } from './providers.js'

/** Seconds that a person has at the provider. */
export const PENDING_SECONDS = 600
const MAX_PATH_CHARACTERS = 2_000

export interface SignInWishes {
  /** The id of the provider. */
  provider: string
  purpose: PendingSignIn['purpose']
  /** The path of this service to which the person returns. */
  to?: string | undefined
  /** The secret of this browser. */
  browser: string
  /** The secret of the browser's session. */
  session?: string | undefined
  /** The network of the browser's address. */
  askedFrom: string
  /** The token of an invitation. */
  invitation?: string | undefined
}

type Parts = Pick<Services, 'catalog' | 'clock' | 'baseUrl' | 'providers'>

/** Throws `identity_provider_not_found`, `invalid_query`, `unauthenticated`, `borrowed_session`, `identity_provider_down` and `sign_in_refused`. */
export async function beginAtProvider(
  { catalog, clock, baseUrl, providers }: Parts,
  { provider: id, purpose, to = '/', browser, session, askedFrom, invitation }: SignInWishes,
): Promise<URL> {
  const provider = findProvider({ providers }, id)
  const path = ownPath(to, baseUrl)
  const begun = session === undefined ? undefined : findSession({ catalog }, session)
  if (purpose !== 'enter' && begun?.userId == null)
    throw new ServiceError('unauthenticated', 'Sign in first: this is for people who are signed in.')
  if (purpose === 'link' && begun?.loan != null) throw borrowedSession()
  // The holder of a stolen session could otherwise come back with an account of their own.
  if (purpose === 'link' && session !== undefined)
    refuseUnproven({ catalog, clock, baseUrl }, authenticateSession({ catalog }, session))
  const secrets = { state: mintSecret(), nonce: mintSecret(), verifier: mintSecret() }
  const url = await provider.begin(secrets, purpose === 'prove')
  const { state, ...kept } = secrets
  const pending: PendingSignIn = {
    ...kept,
    provider: id,
    purpose,
    to: path,
    browser: hashKey(browser),
    begunAt: toSeconds(clock()),
    ...(purpose !== 'enter' && session !== undefined && { session: hashKey(session) }),
    ...(invitation !== undefined && { invitation }),
  }
  await catalog.pendingSignIns.add(state, pending, { seconds: PENDING_SECONDS, askedFrom })
  return url
}

/**
 * Returns the path with its query. Throws `invalid_query` for one that leads elsewhere, such as `//other.example`, and for one that would
 * begin another sign-in.
 */
function ownPath(to: string, baseUrl: string): string {
  const url = to.length <= MAX_PATH_CHARACTERS && URL.canParse(to, baseUrl) ? new URL(to, baseUrl) : undefined
  const isPath = /^\/(?![/\\])[\x21-\x7e]*$/.test(to) && url?.pathname.startsWith('/session/') === false
  if (isPath && url?.origin === new URL(baseUrl).origin && !url.pathname.startsWith('//'))
    return `${url.pathname}${url.search}`
  throw new ServiceError('invalid_query', 'The parameter "to" must be a path of this service, such as /sites.')
}
