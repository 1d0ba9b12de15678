// `POST /session` starts a session with the token of a sign-in link; `DELETE /session` ends it. Only the dashboard uses them: clients of
// the API have a key.

import { ServiceError } from '../../../model/errors.js'
import { type NewSession, signOut } from '../../../usecases/access/sessions.js'
import { endSessionUrl } from '../../../usecases/sign-in/end-at-provider.js'
import { signIn } from '../../../usecases/access/sign-in.js'
import type { Services } from '../../../usecases/context/services.js'
import type { ApiContext, ApiMiddleware } from '../request/request-state.js'
import { attempt, type AttemptParts } from './attempt.js'
import { originOf } from './device.js'
import { refuseCrossSite, sessionOf, setSession } from './session-cookie.js'

const PATH = '/session'
/** Bound of `{"token": "…"}`, which anyone may send. */
const MAX_SESSION_BYTES = 4096
const METHODS = 'POST, DELETE'

export function sessionRoutes(parts: AttemptParts): ApiMiddleware {
  return async (ctx, next) => {
    if (ctx.path !== PATH) return await next()
    ctx.set('Cache-Control', 'no-store')
    if (ctx.method === 'POST') return await start(ctx, parts)
    if (ctx.method === 'DELETE') return await end(ctx, parts.services)
    ctx.set('Allow', METHODS)
    throw new ServiceError('method_not_allowed', `Only ${METHODS} are allowed here: they start and end a session.`)
  }
}

/** Facts about the request that a session or the audit log keeps. */
export function browserOf(ctx: ApiContext, baseUrl: string) {
  return {
    before: sessionOf(ctx.req, baseUrl),
    ...originOf(ctx),
  }
}

/** Answers that a session has begun. */
export function answerSession(ctx: ApiContext, baseUrl: string, session: NewSession): void {
  const { secret, expiresAt, label, workspaceId } = session
  ctx.set('Set-Cookie', setSession(baseUrl, secret, new Date(expiresAt)))
  ctx.status = 201
  ctx.body = { success: true, data: { label, workspaceId, expiresAt } }
}

async function start(ctx: ApiContext, parts: AttemptParts): Promise<void> {
  const { services } = parts
  const session = await attempt(ctx, parts, {
    maxBytes: MAX_SESSION_BYTES,
    check: tokenIn,
    run: async (token) => await signIn(services, token, browserOf(ctx, services.baseUrl)),
  })
  answerSession(ctx, services.baseUrl, session)
}

/** Removes the browser's cookie too, even if it named no session. Names the URL that ends the session at the provider, if there is one. */
async function end(ctx: ApiContext, services: Services): Promise<void> {
  const { baseUrl } = services
  refuseCrossSite(ctx.req, baseUrl)
  const secret = sessionOf(ctx.req, baseUrl)
  // The session names its provider only until it ends.
  const atProvider = secret === undefined ? undefined : endSessionUrl(services, secret)
  if (secret !== undefined) await signOut(services, secret, ctx.querystring === 'everywhere=true', originOf(ctx))
  ctx.set('Set-Cookie', setSession(baseUrl, '', new Date(0)))
  const url = await atProvider
  ctx.body = { success: true, data: url === undefined ? {} : { endSessionUrl: url } }
}

function tokenIn(body: unknown): string {
  const token = (body as { token?: unknown } | null | undefined)?.token
  if (typeof token === 'string' && token.length <= 255) return token
  throw new ServiceError('invalid_body', 'Send {"token": "…"}: the text after the # of the sign-in link.')
}
