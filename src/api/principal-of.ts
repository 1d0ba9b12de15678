// Who sends a request: the bearer of a key, or a browser with a session of the dashboard.

import type { IncomingMessage } from 'node:http'
import type { Principal } from '../model/principal.js'
import type { Services } from '../usecases/services.js'
import { authenticateSession } from '../usecases/sign-in.js'
import { authenticate } from '../usecases/target.js'
import { bearerOf } from './request-fields.js'
import { refuseCrossSite, sessionOf } from './session-cookie.js'

/** A request with an Authorization field is judged by that alone. Throws `unauthenticated` or `cross_site_request`. */
export function principalOf(services: Services, request: IncomingMessage): Principal {
  const secret = request.headers.authorization === undefined ? sessionOf(request, services.baseUrl) : undefined
  if (secret === undefined) return authenticate(services, bearerOf(request))
  refuseCrossSite(request, services.baseUrl)
  return authenticateSession(services, secret)
}
