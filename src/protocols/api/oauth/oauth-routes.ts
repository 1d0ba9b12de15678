// The endpoints of the authorization server: metadata, registration of clients, consent, and what the server itself answers. It is loaded
// with the first request that needs it.

import type { RateName } from '../../../admission/rate-rows.js'
import { Refused } from '../../../admission/refused.js'
import { ServiceError } from '../../../model/errors.js'
import { AGENT_SCOPES } from '../../../model/rights/agent-scopes.js'
import type { ApiContext, ApiMiddleware } from '../request/request-state.js'
import { answersAnyOrigin } from './any-origin.js'
import { RESOURCE_METADATA, RESOURCE_PATHS } from './challenge.js'
import { answerConsent } from './consent.js'
import { countAddress, type OAuthParts } from './oauth-parts.js'
import { answerRegistration, refuse, refuseOldPath } from './registration.js'

const SERVER_METADATA = '/.well-known/oauth-authorization-server'

/** The paths of its metadata: RFC 8414 §3.1 has the path of a resource at the end, and older programs ask as OpenID Connect has it. */
const METADATA =
  /^(?:\/mcp|\/api\/v1)?\/\.well-known\/(?:oauth-authorization-server|openid-configuration)(?:\/mcp|\/api\/v1)?\/?$/

/** The requests that the server answers, and the rate of those that cost a write before anybody is known. */
const OF_SERVER: Readonly<Record<string, RateName | undefined>> = {
  '/oauth/authorize': 'authorizations',
  '/oauth/device-code': 'authorizations',
  '/oauth/device': 'authorizations',
  '/oauth/token': undefined,
  '/oauth/revoke': undefined,
}
/** Where a browser goes on after consent. */
const RESUMED = /^\/oauth\/(?:authorize|device)\/[\w-]+$/
const CONSENT = /^\/oauth\/consent\/([\w-]{1,64})(\/answer)?$/

export function oauthRoutes(parts: OAuthParts): ApiMiddleware {
  const { services } = parts
  return async (ctx, next) => {
    const { path } = ctx
    if (path === RESOURCE_METADATA || path.startsWith(`${RESOURCE_METADATA}/`))
      return answerResource(ctx, services.baseUrl)
    if (path === '/oauth/register') return await answerRegistration(ctx, parts)
    if (path === '/register') return refuseOldPath(ctx, services.baseUrl)
    const [, uid, answer] = CONSENT.exec(path) ?? []
    if (uid !== undefined) return await answerConsent(ctx, parts, { uid, isAnswer: answer !== undefined })
    if (METADATA.test(path)) ctx.path = SERVER_METADATA
    else if (!Object.hasOwn(OF_SERVER, path) && !RESUMED.test(path)) return await next()
    ctx.set('Cache-Control', 'no-store')
    return await answerByServer(ctx, parts)
  }
}

/** A program that must wait is told so in the words of RFC 6749: with another code it would forget its sign-in. */
async function answerByServer(ctx: ApiContext, { services, server }: OAuthParts): Promise<void> {
  try {
    const rate = OF_SERVER[ctx.path]
    if (rate !== undefined) await countAddress(ctx, services, rate)
    await (await server()).answer(ctx)
  } catch (error) {
    if (ctx.method !== 'POST' || !(error instanceof Refused)) throw error
    refuse(ctx, error, 'temporarily_unavailable')
  }
}

/** Answers the metadata of a resource (RFC 9728). The one without a path is that of the tools, as older clients ask. */
function answerResource(ctx: ApiContext, baseUrl: string): void {
  if (answersAnyOrigin(ctx, 'GET')) return
  const path = ctx.path.slice(RESOURCE_METADATA.length).replace(/\/$/, '') || RESOURCE_PATHS[0]
  const resource = RESOURCE_PATHS.find((known) => known === path)
  if (resource === undefined)
    throw new ServiceError('route_not_found', `Tokens are only for ${RESOURCE_PATHS.join(' and ')}.`)
  ctx.body = {
    resource: `${baseUrl}${resource}`,
    authorization_servers: [baseUrl],
    scopes_supported: AGENT_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Palimpsest',
    resource_documentation: `${baseUrl}/docs`,
  }
}
