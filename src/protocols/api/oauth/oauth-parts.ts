// The parts of the endpoints of the authorization server, and how they read the requests of callers who are not known yet.

import { refuseOver } from '../../../admission/admission.js'
import { type RateName, RATES } from '../../../admission/rate-rows.js'
import type { AskedConsent, GivenConsent } from '../../../usecases/agents/connect-agent.js'
import type { Services } from '../../../usecases/context/services.js'
import { countedAddressOf, networkOf } from '../../http/counted-address.js'
import { bodyRulesOf, readBody } from '../request/read-body.js'
import type { BodyReceiver } from '../request/receive-body.js'
import type { ApiContext } from '../request/request-state.js'

/** The authorization server, as its endpoints use it. */
export interface AuthorizationServer {
  /** Answers a request of a client or a browser. */
  answer(ctx: ApiContext): Promise<void>
  /** Registers a client (RFC 7591) for an address. Throws errors with a `code` of that RFC. */
  register(metadata: unknown, address: string): Promise<object>
  /** Returns the request for consent that this browser began; undefined if it is none of its own, or is over. */
  asked(browser: Pick<ApiContext, 'req' | 'res'>, uid: string): Promise<AskedConsent | undefined>
  /** Ends the request for consent. Returns the URL for the browser. */
  allow(browser: Pick<ApiContext, 'req' | 'res'>, asked: AskedConsent, given: GivenConsent): Promise<string>
  deny(browser: Pick<ApiContext, 'req' | 'res'>): Promise<string>
}

export type LoadAuthorizationServer = () => Promise<AuthorizationServer>

export interface OAuthParts {
  services: Services
  bodies: BodyReceiver
  server: LoadAuthorizationServer
}

/** Counts a request of a client's network. Throws `too_many_requests`. */
export async function countAddress(ctx: ApiContext, { admission }: Services, rate: RateName): Promise<void> {
  const state = await admission.rate(rate).take(networkOf(ctx.state.client ?? ''))
  refuseOver([state], RATES[rate].message)
}

/** Reads a short JSON body. */
export async function readShortJson(
  ctx: ApiContext,
  { services, bodies }: Pick<OAuthParts, 'services' | 'bodies'>,
  maxJsonBytes: number,
): Promise<unknown> {
  const body = await bodies.during(ctx.req, countedAddressOf(ctx.state.client ?? ''), (receive) =>
    readBody(ctx.req, receive, { html: false, maxJsonBytes }, bodyRulesOf(services, '')),
  )
  return body.kind === 'json' ? body.value : undefined
}
