// Answers the endpoints of the authorization server: metadata, registration of clients, consent, and those that the library answers.

import type { RateName } from '../../../admission/rate-rows.js'
import { Refused, retryAfterOf } from '../../../admission/refused.js'
import { ServiceError } from '../../../model/errors.js'
import { AGENT_SCOPES } from '../../../model/rights/agent-scopes.js'
import type { Services } from '../../../usecases/context/services.js'
import type { BodyReceiver } from '../request/receive-body.js'
import type { ApiContext, Handler } from '../request/request-state.js'
import { ERROR_STATUS } from '../routes/error-status.js'
import { RESOURCE_METADATA } from '../routes/other-endpoints.js'
import { loadAuthorizationServer } from './authorization-server.js'
import { consentHandlers } from './consent.js'
import { answersAnyOrigin, countAddress, type OAuthParts, readShortJson } from './oauth-parts.js'
import { RESOURCE_PATHS } from './resources.js'

const MAX_REGISTRATION_BYTES = 16 * 1024
const SERVER_METADATA = '/.well-known/oauth-authorization-server'

export function oauthHandlers(services: Services, bodies: BodyReceiver) {
  const parts: OAuthParts = { services, bodies, server: loadAuthorizationServer(services) }
  const byServer =
    (rate?: RateName): Handler =>
    async (ctx) =>
      await answerByServer(ctx, parts, rate)
  // These cost a write before anybody is known.
  const begin = byServer('authorizations')
  return {
    resourceMetadata: (ctx: ApiContext) => answerResource(ctx, services.baseUrl),
    async serverMetadata(ctx: ApiContext) {
      ctx.path = SERVER_METADATA
      await answerByServer(ctx, parts)
    },
    registration: async (ctx: ApiContext) => await answerRegistration(ctx, parts),
    oldRegistration: (ctx: ApiContext) => refuseOldPath(ctx, services.baseUrl),
    authorization: begin,
    deviceAuthorization: begin,
    device: begin,
    resumed: byServer(),
    token: byServer(),
    ...consentHandlers(parts),
  }
}

/** A program that must wait is told so in the words of RFC 6749: with another code it would forget its sign-in. */
async function answerByServer(ctx: ApiContext, { services, server }: OAuthParts, rate?: RateName): Promise<void> {
  ctx.set('Cache-Control', 'no-store')
  try {
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

/** Answers in the form of the RFC, also refusals: these words are all that people see of a program that fails here. */
async function answerRegistration(ctx: ApiContext, parts: OAuthParts): Promise<void> {
  ctx.set('Cache-Control', 'no-store')
  if (answersAnyOrigin(ctx, 'POST')) return
  try {
    await countAddress(ctx, parts.services, 'registrations')
    const metadata = await readShortJson(ctx, parts, MAX_REGISTRATION_BYTES)
    const registered = await (await parts.server()).register(metadata, ctx.state.client ?? '')
    ctx.status = 201
    ctx.body = registered
  } catch (error) {
    refuse(ctx, error, 'invalid_client_metadata')
  }
}

/** Tells a client that read no metadata, and so guessed the path, where to look. Its person sees these words. */
function refuseOldPath(ctx: ApiContext, baseUrl: string): void {
  ctx.status = 404
  ctx.body = {
    error: 'invalid_client_metadata',
    error_description: `Programs register at ${baseUrl}/oauth/register, as ${baseUrl}/.well-known/oauth-authorization-server says. A program that cannot sign in by OAuth needs an API key.`,
  }
}

/** Answers a refusal of this service with a code of OAuth. Throws other errors again. */
function refuse(ctx: ApiContext, error: unknown, code: string): void {
  if (error instanceof ServiceError && error.code !== 'internal') {
    ctx.status = ERROR_STATUS[error.code]
    if (ctx.status === 429 || ctx.status === 503) ctx.set('Retry-After', String(retryAfterOf(error)))
    ctx.body = { error: code, error_description: error.message }
    return
  }
  if (!(error instanceof Error) || !('code' in error) || !/^invalid_\w+$/.test(String(error.code))) throw error
  ctx.status = 400
  ctx.body = { error: error.code, error_description: error.message }
}
