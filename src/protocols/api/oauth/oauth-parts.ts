// The parts of the endpoints of the authorization server, and how they read the requests of callers who are not known yet.

import { refuseOver } from '../../../admission/admission.js'
import { type RateName, RATES } from '../../../admission/rate-rows.js'
import type { Services } from '../../../usecases/context/services.js'
import { countedAddressOf, networkOf } from '../../http/counted-address.js'
import { bodyRulesOf, readBody } from '../request/read-body.js'
import type { BodyReceiver } from '../request/receive-body.js'
import type { ApiContext } from '../request/request-state.js'
import type { LoadAuthorizationServer } from './authorization-server.js'

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

/**
 * Lets pages of every origin read an answer that anybody may have, without cookies (Fetch standard, "CORS protocol"). Returns true for a
 * preflight, which is answered then.
 */
export function answersAnyOrigin(ctx: ApiContext, method: 'GET' | 'POST'): boolean {
  ctx.set('Access-Control-Allow-Origin', '*')
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
  if (ctx.method !== 'OPTIONS') return false
  ctx.set('Access-Control-Allow-Methods', method)
  ctx.set('Access-Control-Allow-Headers', 'Content-Type, MCP-Protocol-Version')
  ctx.status = 204
  return true
}
