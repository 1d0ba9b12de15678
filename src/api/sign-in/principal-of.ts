// Authenticates a request: by the API key or token that it bears, or by the dashboard session of a browser.

import type { IncomingMessage } from 'node:http'
import { isOwnOrigin } from '../../http/own-origin.js'
import { ServiceError } from '../../model/errors.js'
import type { Principal } from '../../model/principal.js'
import type { Services } from '../../usecases/context/services.js'
import { authenticateSession } from '../../usecases/access/sign-in.js'
import { authenticateBearer } from '../../usecases/access/authenticate.js'
import { bearerOf } from '../request/request-fields.js'
import { refuseCrossSite, sessionOf } from './session-cookie.js'

/**
 * A request with an Authorization field is authenticated by that field alone, whatever cookies it has. Throws
 * `unauthenticated`, `origin_not_allowed`, `cross_site_request` and `identity_provider_down`.
 */
export async function principalOf(services: Services, request: IncomingMessage): Promise<Principal> {
  const secret = request.headers.authorization === undefined ? sessionOf(request, services.baseUrl) : undefined
  if (secret === undefined) {
    const principal = await authenticateBearer(services, bearerOf(request))
    refuseOrigin(services, request, principal)
    return principal
  }
  refuseCrossSite(request, services.baseUrl)
  return authenticateSession(services, secret)
}

/**
 * A web page uses a key only where the key allows its origin, or, for a key that names none, the service does. It is refused before
 * anything is done: a browser that hides the answer from the page does so when a write has happened.
 */
function refuseOrigin(
  { baseUrl, allowedOrigins }: Services,
  { headers }: IncomingMessage,
  { origins = allowedOrigins }: Principal,
): void {
  if (isOwnOrigin(headers, baseUrl) || origins.includes(headers.origin ?? '')) return
  throw new ServiceError(
    'origin_not_allowed',
    'Web pages of this origin may not use this key. Make a key whose origins name it, or have ALLOWED_ORIGINS name it.',
  )
}
