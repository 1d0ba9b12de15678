// `POST /session` starts a session with the token of a sign-in link; `DELETE /session` ends it. Only the dashboard uses them: clients of
// the API have a key.

import { refuseOver } from '../../../admission/admission.js'
import { RATES } from '../../../admission/rate-rows.js'
import type { ApiContext, ApiMiddleware } from '../request/request-state.js'
import { ServiceError } from '../../../model/errors.js'
import type { Services } from '../../../usecases/context/services.js'
import { signOut } from '../../../usecases/access/sessions.js'
import { signIn } from '../../../usecases/access/sign-in.js'
import { originOf } from './device.js'
import type { BodyReceiver, ReceiveBody } from '../request/receive-body.js'
import { countedAddressOf } from '../../http/counted-address.js'
import { bodyRulesOf, readBody } from '../request/read-body.js'
import { refuseCrossSite, sessionOf, setSession } from './session-cookie.js'

const PATH = '/session'
/** Bound of `{"token": "…"}`, which anyone may send. */
const MAX_SESSION_BYTES = 4096
const METHODS = 'POST, DELETE'

export function sessionRoutes(services: Services, bodies: BodyReceiver): ApiMiddleware {
  return async (ctx, next) => {
    if (ctx.path !== PATH) return await next()
    ctx.set('Cache-Control', 'no-store')
    if (ctx.method === 'POST') return await start(ctx, services, bodies)
    if (ctx.method === 'DELETE') return await end(ctx, services)
    ctx.set('Allow', METHODS)
    throw new ServiceError('method_not_allowed', `Only ${METHODS} are allowed here: they start and end a session.`)
  }
}

async function start(ctx: ApiContext, services: Services, bodies: BodyReceiver): Promise<void> {
  const { baseUrl } = services
  refuseCrossSite(ctx.req, baseUrl)
  // The caller is not known yet, so the failures of one address are limited, and the bytes that it sends at once.
  const holder = countedAddressOf(ctx.state.client ?? '')
  const failures = services.admission.rate('failed-sign-ins')
  refuseOver([await failures.peek(holder)], RATES['failed-sign-ins'].message)
  const token = await bodies.during(ctx.req, holder, (receive) => readToken(ctx, receive, services))
  const { secret, expiresAt, label, workspaceId } = await signIn(services, token, {
    before: sessionOf(ctx.req, baseUrl),
    ...originOf(ctx),
  }).catch(async (error: unknown) => {
    await failures.take(holder)
    throw error
  })
  ctx.set('Set-Cookie', setSession(baseUrl, secret, new Date(expiresAt)))
  ctx.status = 201
  ctx.body = { success: true, data: { label, workspaceId, expiresAt } }
}

/** Removes the browser's cookie too, even if it named no session. */
async function end(ctx: ApiContext, services: Services): Promise<void> {
  const { baseUrl } = services
  refuseCrossSite(ctx.req, baseUrl)
  const secret = sessionOf(ctx.req, baseUrl)
  if (secret !== undefined) await signOut(services, secret, ctx.querystring === 'everywhere=true', originOf(ctx))
  ctx.set('Set-Cookie', setSession(baseUrl, '', new Date(0)))
  ctx.body = { success: true, data: {} }
}

async function readToken(ctx: ApiContext, receive: ReceiveBody, services: Services): Promise<string> {
  const taken = { html: false, maxJsonBytes: MAX_SESSION_BYTES }
  // Short enough to need no task: without a known caller, there is no workspace whose turn it could be.
  const body = await readBody(ctx.req, receive, taken, bodyRulesOf(services, ''))
  const token = body.kind === 'json' ? (body.value as { token?: unknown } | null)?.token : undefined
  if (typeof token === 'string' && token.length <= 255) return token
  throw new ServiceError('invalid_body', 'Send {"token": "…"}: the text after the # of the sign-in link.')
}
