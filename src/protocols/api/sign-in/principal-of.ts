// Authenticates a request: by its API key or token, or by the dashboard session of a browser.

import type { IncomingMessage } from 'node:http'
import { refuseOrigin } from '../../http/own-origin.js'
import type { Principal } from '../../../model/principal.js'
import type { Services } from '../../../usecases/context/services.js'
import { authenticateSession } from '../../../usecases/access/authenticate-session.js'
import { authenticateBearer } from '../../../usecases/access/authenticate.js'
import { bearerOf, targetIdsOf } from '../request/request-fields.js'
import { refuseCrossSite, sessionOf } from './session-cookie.js'

/**
 * Authenticates a request with an Authorization field by that field alone, whether it has cookies or not. `resource` is the path of the
 * API or the tools. Throws `unauthenticated`,
 * `origin_not_allowed`, `cross_site_request` and `identity_provider_down`.
 */
export async function principalOf(services: Services, request: IncomingMessage, resource: string): Promise<Principal> {
  const secret = request.headers.authorization === undefined ? sessionOf(request, services.baseUrl) : undefined
  if (secret === undefined) {
    const principal = await authenticateBearer(services, bearerOf(request), resource)
    refuseOrigin(request.headers, services.baseUrl, principal.origins ?? services.allowedOrigins)
    return principal
  }
  refuseCrossSite(request, services.baseUrl)
  const { workspaceId } = targetIdsOf(request.headers)
  return authenticateSession(services, secret, workspaceId)
}

/** Authenticates the request once more, while it is handled: its caller's rights may have ended, here or on another machine. */
export async function principalAgain(
  services: Services,
  request: IncomingMessage,
  resource: string,
): Promise<Principal> {
  await services.replica.untilCurrent()
  return await principalOf(services, request, resource)
}
