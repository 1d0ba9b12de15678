// Connects the endpoints of the authorization server with the server itself. Its library is loaded with the first request that needs it.

import { refuseOver } from '../admission/admission.js'
import { RATES } from '../admission/rate-rows.js'
import type { AuthorizationServer, LoadAuthorizationServer } from '../protocols/api/oauth/oauth-parts.js'
import { RESOURCE_PATHS } from '../protocols/api/oauth/challenge.js'
import type { Services } from '../usecases/context/services.js'

export function lazyAuthorizationServer(services: Services): LoadAuthorizationServer {
  let server: Promise<AuthorizationServer> | undefined
  return async () => await (server ??= load(services))
}

async function load(services: Services): Promise<AuthorizationServer> {
  const { createAuthorizationServer } = await import('../protocols/oauth/authorization-server.js')
  const { admission, baseUrl, catalog, clock, privateRemotes } = services
  return await createAuthorizationServer({
    catalog,
    clock,
    baseUrl,
    resources: RESOURCE_PATHS.map((path) => `${baseUrl}${path}`),
    exceptions: privateRemotes,
    async during(askedFrom, work) {
      refuseOver([await admission.rate('client-documents').take(askedFrom)], RATES['client-documents'].message)
      return await admission.gate('client-documents').during(askedFrom, work)
    },
    onRevoked: async (agent) =>
      await catalog.audit.record({
        workspaceId: agent.workspaceId,
        actor: { kind: 'agent', id: agent.id, userId: agent.userId, client: agent.clientId },
        action: 'agent.disconnect',
        target: `agent ${agent.id}`,
        details: { why: 'a token was revoked, or used twice' },
      }),
  })
}
