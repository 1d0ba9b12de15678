// Finishes a sign-in at an identity provider: checks that this browser began it, and asks the provider who the person is. Then it begins a
// session, adds the identity to the person's account, or notes that the person proved again who they are.

import type { ProviderPerson } from '../../catalog/identity/provider-person.js'
import type { PendingSignIn } from '../../catalog/people/pending-sign-ins.js'
import type { Session } from '../../catalog/people/sessions.js'
import { toSeconds } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey } from '../../model/key-format.js'
import { borrowedSession } from '../access/loans.js'
import { beginSession, type NewSession } from './sessions.js'
import { findSession } from '../access/authenticate-session.js'
import type { RequestOrigin } from '../context/request-context.js'
import type { Services } from '../context/services.js'
import { acceptInvitation, findOpenFor } from '../people/accept-invitation.js'
import { addIdentity } from './identities.js'
import { admit, lentIdentity } from './admit.js'
import { findProvider } from './providers.js'

/** The browser that comes back from a provider. */
export interface ComingBack {
  /** The id of the provider whose URL it comes to. */
  provider: string
  /** Without the question mark. */
  query: string
  /** The secret of the browser that began. */
  browser?: string | undefined
  /** The secret of its session. */
  session?: string | undefined
  from?: RequestOrigin
}

export interface Finished {
  to: string
  /** Undefined if the person was signed in before. */
  session?: NewSession
}

type Parts = Pick<Services, 'catalog' | 'clock' | 'newId' | 'limits' | 'providers'>

/** Throws `identity_provider_not_found`, `identity_provider_down`, `sign_in_refused`, `not_a_member` and `identity_taken`. */
export async function finishAtProvider(services: Parts, coming: ComingBack): Promise<Finished> {
  const { catalog, clock, providers } = services
  const provider = findProvider({ providers }, coming.provider)
  const state = new URLSearchParams(coming.query).get('state') ?? ''
  const pending = await catalog.pendingSignIns.take(state)
  // The browser went back to the callback after it came in.
  if (pending === undefined && isSignedIn(services, coming)) return { to: '/' }
  if (pending === undefined || !isOfBrowser(pending, coming)) throw begunElsewhere()
  const { nonce, verifier, purpose, to } = pending
  const provenWithin = purpose === 'prove' ? toSeconds(clock()) - pending.begunAt : undefined
  const found = await provider.finish(coming.query, { state, nonce, verifier }, provenWithin)
  if (purpose === 'enter') return { to, session: await enter(services, found, pending, coming) }
  const session = sessionOf(services, pending, coming)
  if (session.loan !== null && purpose === 'link') throw borrowedSession()
  if (purpose === 'link') await addIdentity(services, session, found, coming.from)
  else await prove(services, session, found)
  return { to }
}

/** Whether the browser and the provider are those of the beginning. */
function isOfBrowser(pending: PendingSignIn, { provider, browser }: ComingBack): boolean {
  return pending.provider === provider && browser !== undefined && pending.browser === hashKey(browser)
}

function isSignedIn({ catalog }: Parts, { session }: ComingBack): boolean {
  return session !== undefined && catalog.sessions.findByHash(hashKey(session)) !== undefined
}

async function enter(
  services: Parts,
  found: ProviderPerson,
  { invitation }: PendingSignIn,
  { session: before, from }: ComingBack,
): Promise<NewSession> {
  const { issuer, session, provenAt, email } = found
  const invited =
    invitation === undefined
      ? undefined
      : {
          token: invitation,
          ...(email !== undefined && { verifiedEmail: email }),
          ...(from && { from }),
        }
  // Nothing is stored about somebody whose invitation does not hold.
  if (invited !== undefined) findOpenFor(services, invited)
  const accept =
    invited && (async (id: string) => (await acceptInvitation(services, { ...invited, userId: id })).workspaceId)
  const { userId, workspaceId, loan } = await admit(services, found, accept)
  const proof = { userId, workspaceId, loan, means: 'provider' as const, issuer, provenAt, ...from }
  return await beginSession(services, { ...proof, ...(session !== undefined && { providerSession: session }) }, before)
}

/** Returns the session that began this, if the browser still has it. Throws `sign_in_refused`. */
function sessionOf({ catalog }: Parts, pending: PendingSignIn, { session }: ComingBack): Session & { userId: string } {
  const isSame = session !== undefined && hashKey(session) === pending.session
  const found = isSame ? findSession({ catalog }, session) : undefined
  if (found?.userId == null) throw begunElsewhere()
  return { ...found, userId: found.userId }
}

/** Throws `sign_in_refused` if the identity is another person's, or lent. */
async function prove(services: Parts, session: Session & { userId: string }, found: ProviderPerson): Promise<void> {
  const { catalog } = services
  const identity = catalog.identities.find(found.issuer, found.subject)
  if (identity?.userId !== session.userId)
    throw new ServiceError(
      'sign_in_refused',
      'This is not your account here: prove who you are with an identity of your own profile.',
    )
  if (identity.loan !== null) throw lentIdentity()
  await catalog.identities.use(identity.id, found.email ?? null)
  await catalog.sessions.prove(session.id)
}

function begunElsewhere(): ServiceError {
  return new ServiceError(
    'sign_in_refused',
    'This sign-in is finished already, took more than ten minutes, or was begun in another browser or at another provider: begin again.',
  )
}
