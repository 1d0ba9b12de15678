// Signing in at identity providers, below `/session`: the list of providers, the way there, the way back, and the logout that a provider
// orders. A browser is always led to a screen: after a failure to the sign-in screen, which shows the reason.

import type { Logger } from 'pino'
import { refuseOver } from '../../../admission/admission.js'
import { type RateName, RATES } from '../../../admission/rate-rows.js'
import { ServiceError } from '../../../model/errors.js'
import { findSession } from '../../../usecases/access/sessions.js'
import type { Services } from '../../../usecases/context/services.js'
import { beginAtProvider, PENDING_SECONDS } from '../../../usecases/sign-in/begin-at-provider.js'
import { finishAtProvider } from '../../../usecases/sign-in/finish-at-provider.js'
import { countedAddressOf, networkOf } from '../../http/counted-address.js'
import type { BodyReceiver } from '../request/receive-body.js'
import type { ApiContext, ApiMiddleware } from '../request/request-state.js'
import { logoutRoute } from './backchannel-logout.js'
import { originOf } from './device.js'
import { reasonOf } from './reason.js'
import { setSession, sessionOf } from './session-cookie.js'
import { browserOf, forgetProblem, mintBrowser, problemOf, setBrowser, setProblem } from './sign-in-cookies.js'

const PATH = /^\/session\/(?:(providers|backchannel-logout)|(provider|callback)\/([a-z0-9-]{1,32}))$/

export function providerRoutes(services: Services, bodies: BodyReceiver, logger: Logger): ApiMiddleware {
  const orderLogout = logoutRoute(services, bodies, logger)
  return async (ctx, next) => {
    const [isOurs, list, step, id = ''] = PATH.exec(ctx.path) ?? []
    if (isOurs === undefined) return await next()
    ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    if (list === 'backchannel-logout') return await orderLogout(ctx)
    if (ctx.method !== 'GET') {
      ctx.set('Allow', 'GET')
      throw new ServiceError('method_not_allowed', 'Only GET is allowed here: browsers sign in with it.')
    }
    if (list === 'providers') return tellProviders(ctx, services)
    return await leadToScreen(ctx, services, logger, id, step === 'provider' ? begin : finish)
  }
}

/** Names the providers, and the reason why this browser's last sign-in failed. */
function tellProviders(ctx: ApiContext, { providers, baseUrl }: Services): void {
  const problem = problemOf(ctx.req, baseUrl)
  const listed = providers.map(({ settings: { id, name, issuer } }) => ({ id, name, issuer }))
  ctx.body = { success: true, data: { providers: listed, ...(problem && { problem }) } }
}

type Step = (ctx: ApiContext, services: Services, provider: string) => Promise<string>

/** Redirects to where the step leads; if it is refused, to the sign-in screen. */
async function leadToScreen(
  ctx: ApiContext,
  services: Services,
  logger: Logger,
  id: string,
  step: Step,
): Promise<void> {
  const { baseUrl } = services
  ctx.status = 303
  try {
    await refuseMany(ctx, services)
    ctx.set('Location', await step(ctx, services, id))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { code, message, details } = error
    await countFailure(ctx, services, code)
    const { requestId } = ctx.state
    logger.warn({ requestId, provider: id, code, reason: reasonOf(error) }, 'a sign-in at an identity provider failed')
    ctx.append(
      'Set-Cookie',
      setProblem(baseUrl, { ...(details as object | undefined), code, message, isSignedIn: isSignedIn(ctx, services) }),
    )
    ctx.set('Location', '/sign-in')
  }
  ctx.body = ''
}

function isSignedIn(ctx: ApiContext, services: Services): boolean {
  const secret = sessionOf(ctx.req, services.baseUrl)
  return secret !== undefined && findSession(services, secret) !== undefined
}

async function begin(ctx: ApiContext, services: Services, provider: string): Promise<string> {
  const { baseUrl } = services
  const query = new URLSearchParams(ctx.querystring)
  const purpose = query.has('link') ? 'link' : query.has('prove') ? 'prove' : 'enter'
  // Another page could lead a person here unasked: to add an account of its own, to prove what it wants, or to join its workspace.
  const isAsked = purpose !== 'enter' || query.has('invitation')
  if (isAsked && ctx.get('sec-fetch-site') !== 'same-origin')
    throw new ServiceError(
      'cross_site_request',
      'Only pages of the dashboard lead here: open your profile there, or the invitation.',
    )
  const browser = browserOf(ctx.req, baseUrl) ?? mintBrowser()
  const url = await beginAtProvider(services, {
    provider,
    purpose,
    browser,
    to: query.get('to') ?? undefined,
    session: sessionOf(ctx.req, baseUrl),
    askedFrom: networkOf(ctx.state.client ?? ''),
    invitation: query.get('invitation')?.slice(0, 255),
  })
  ctx.append('Set-Cookie', setBrowser(baseUrl, browser, PENDING_SECONDS))
  return url.href
}

async function finish(ctx: ApiContext, services: Services, provider: string): Promise<string> {
  const { baseUrl } = services
  const { to, session } = await finishAtProvider(services, {
    provider,
    query: ctx.querystring,
    browser: browserOf(ctx.req, baseUrl),
    session: sessionOf(ctx.req, baseUrl),
    from: originOf(ctx),
  })
  ctx.append('Set-Cookie', forgetProblem(baseUrl))
  if (session !== undefined) ctx.append('Set-Cookie', setSession(baseUrl, session.secret, new Date(session.expiresAt)))
  return to
}

/** Throws `too_many_requests`. */
async function refuseMany(ctx: ApiContext, { admission }: Services): Promise<void> {
  const holder = holderOf(ctx)
  const refuse = async (name: RateName, how: 'peek' | 'take') =>
    refuseOver([await admission.rate(name)[how](holder)], RATES[name].message)
  await refuse('failed-sign-ins', 'peek')
  await refuse('begun-sign-ins', 'take')
}

async function countFailure(ctx: ApiContext, { admission }: Services, code: string): Promise<void> {
  if (code === 'too_many_requests' || code === 'identity_provider_down') return
  await admission.rate('failed-sign-ins').take(holderOf(ctx))
}

function holderOf(ctx: ApiContext): string {
  return countedAddressOf(ctx.state.client ?? '')
}
