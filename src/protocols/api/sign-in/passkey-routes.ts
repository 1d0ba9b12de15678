// Signs in with a passkey, in two requests: `POST /session/passkey/options` asks, `POST /session/passkey` answers. `POST /session/proof`
// answers instead for somebody who is signed in, and proves again who it is. Only the dashboard uses them.

import { randomBytes } from 'node:crypto'
import { refuseOver } from '../../../admission/admission.js'
import { RATES } from '../../../admission/rate-rows.js'
import { ServiceError } from '../../../model/errors.js'
import { type PasskeyAnswer, passkeyAnswerBody } from '../../../../schemas/account.js'
import { askPasskey, proveWithPasskey, signInWithPasskey } from '../../../usecases/people/passkey-sign-in.js'
import { countedAddressOf, networkOf } from '../../http/counted-address.js'
import { createCheck } from '../request/check-input.js'
import type { ApiContext, ApiMiddleware } from '../request/request-state.js'
import { attempt, type AttemptParts } from './attempt.js'
import { principalOf } from './principal-of.js'
import { cookieOf, refuseCrossSite, setCookie } from './session-cookie.js'
import { answerSession, browserOf } from './session-routes.js'

/** Bound of the answer of a passkey, which anyone may send. */
const MAX_ANSWER_BYTES = 32 * 1024
/** The cookie that binds a question to the browser that asked it. */
const BROWSER_COOKIE = 'passkey-browser'
const DAY_MS = 86_400_000

const checkAnswer = createCheck(passkeyAnswerBody, 'invalid_body', 'The body')

const ENDPOINTS: Readonly<Record<string, (ctx: ApiContext, parts: AttemptParts) => Promise<void>>> = {
  '/session/passkey/options': ask,
  '/session/passkey': enter,
  '/session/proof': prove,
}

export function passkeyRoutes(parts: AttemptParts): ApiMiddleware {
  return async (ctx, next) => {
    const endpoint = Object.hasOwn(ENDPOINTS, ctx.path) ? ENDPOINTS[ctx.path] : undefined
    if (endpoint === undefined) return await next()
    ctx.set('Cache-Control', 'no-store')
    if (ctx.method === 'POST') return await endpoint(ctx, parts)
    ctx.set('Allow', 'POST')
    throw new ServiceError('method_not_allowed', 'Only POST is allowed here: it signs in with a passkey.')
  }
}

async function ask(ctx: ApiContext, { services }: AttemptParts): Promise<void> {
  const { admission, baseUrl } = services
  refuseCrossSite(ctx.req, baseUrl)
  const begun = await admission.rate('begun-sign-ins').take(countedAddressOf(ctx.state.client ?? ''))
  refuseOver([begun], RATES['begun-sign-ins'].message)
  // Tabs of one browser share the cookie, so that none ends the question of another.
  const known = cookieOf(ctx.req, baseUrl, BROWSER_COOKIE)
  const browser = known !== undefined && /^[\w-]{43}$/.test(known) ? known : randomBytes(32).toString('base64url')
  const data = await askPasskey(services, byOf(browser), networkOf(ctx.state.client ?? ''))
  const expires = new Date(services.clock().getTime() + DAY_MS)
  ctx.set('Set-Cookie', setCookie(baseUrl, BROWSER_COOKIE, browser, expires))
  ctx.body = { success: true, data }
}

async function enter(ctx: ApiContext, parts: AttemptParts): Promise<void> {
  const { services } = parts
  const session = await attempt(ctx, parts, {
    maxBytes: MAX_ANSWER_BYTES,
    check: checkedAnswer,
    run: async (answer) =>
      await signInWithPasskey(services, answer, {
        browser: browserAsked(ctx, services.baseUrl),
        ...browserOf(ctx, services.baseUrl),
      }),
  })
  answerSession(ctx, services.baseUrl, session)
}

async function prove(ctx: ApiContext, parts: AttemptParts): Promise<void> {
  const { services } = parts
  const principal = await principalOf(services, ctx.req, ctx.path)
  await attempt(ctx, parts, {
    maxBytes: MAX_ANSWER_BYTES,
    check: checkedAnswer,
    run: async (answer) => await proveWithPasskey(services, principal, answer, browserAsked(ctx, services.baseUrl)),
  })
  ctx.body = { success: true, data: {} }
}

function checkedAnswer(body: unknown): PasskeyAnswer {
  checkAnswer(body)
  return body as PasskeyAnswer
}

/** Returns the holder of the browser's questions. Without the cookie it was asked none. */
function browserAsked(ctx: ApiContext, baseUrl: string): string {
  return byOf(cookieOf(ctx.req, baseUrl, BROWSER_COOKIE) ?? '')
}

function byOf(browser: string): string {
  return `browser ${browser}`
}
