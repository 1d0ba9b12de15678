// Signing in at identity providers, below `/session`: the way there, the way back, and the logout that a provider orders. A browser is
// always led to a screen: after a failure to the sign-in screen, which shows the reason.

import type { Logger } from 'pino'
import { ServiceError } from '../../../model/errors.js'
import { mintSecret } from '../../../model/key-format.js'
import { findSession } from '../../../usecases/access/authenticate-session.js'
import type { Services } from '../../../usecases/context/services.js'
import { beginAtProvider, PENDING_SECONDS } from '../../../usecases/sign-in/begin-at-provider.js'
import { endByProvider } from '../../../usecases/sign-in/end-at-provider.js'
import { finishAtProvider } from '../../../usecases/sign-in/finish-at-provider.js'
import type { BodyReceiver } from '../request/receive-body.js'
import type { ApiContext, Handler } from '../request/request-state.js'
import { type Browser, browserOf } from './browser.js'
import { countBegun, countingFailures, holderOf, refuseAfterFailures } from './failed-tries.js'
import { reasonOf } from './reason.js'
import { forgetProblem, secretOf, setProblem, setSecret } from './sign-in-cookies.js'

const MAX_LOGOUT_BYTES = 16 * 1024

/** Returns the URL to which the browser goes. */
type Step = (ctx: ApiContext, services: Services, browser: Browser, provider: string) => Promise<string>

export function providerHandlers(services: Services, bodies: BodyReceiver, logger: Logger) {
  const lead =
    (step: Step): Handler =>
    async (ctx, { id = '' }) =>
      await leadToScreen(ctx, services, logger, { provider: id, step })
  return {
    beginAtProvider: lead(begin),
    finishAtProvider: lead(finish),
    endByProvider: async (ctx: ApiContext) => await answerLogout(ctx, services, bodies, logger),
  }
}

/** Redirects to where the step leads; if it is refused, to the sign-in screen. */
async function leadToScreen(
  ctx: ApiContext,
  services: Services,
  logger: Logger,
  { provider, step }: { provider: string; step: Step },
): Promise<void> {
  keepQuiet(ctx)
  const browser = browserOf(ctx, services.baseUrl)
  ctx.status = 303
  try {
    await refuseAfterFailures(ctx, services)
    await countBegun(ctx, services)
    ctx.set('Location', await countingFailures(ctx, services, () => step(ctx, services, browser, provider)))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { code, message, details } = error
    const { requestId } = ctx.state
    logger.warn({ requestId, provider, code, reason: reasonOf(error) }, 'a sign-in at an identity provider failed')
    setProblem(browser, {
      ...(details as object | undefined),
      code,
      message,
      isSignedIn: isSignedIn(services, browser),
    })
    ctx.set('Location', '/sign-in')
  }
  ctx.body = ''
}

function isSignedIn(services: Services, { session }: Browser): boolean {
  return session !== undefined && findSession(services, session) !== undefined
}

async function begin(ctx: ApiContext, services: Services, browser: Browser, provider: string): Promise<string> {
  const query = new URLSearchParams(ctx.querystring)
  const purpose = query.has('link') ? 'link' : query.has('prove') ? 'prove' : 'enter'
  // Another page could lead a person here unasked: to add an account of its own, to prove what it wants, or to join its workspace.
  const isAsked = purpose !== 'enter' || query.has('invitation')
  if (isAsked && ctx.get('sec-fetch-site') !== 'same-origin')
    throw new ServiceError(
      'cross_site_request',
      'Only pages of the dashboard lead here: open your profile there, or the invitation.',
    )
  const secret = secretOf(browser) ?? mintSecret()
  const url = await beginAtProvider(services, {
    provider,
    purpose,
    browser: secret,
    to: query.get('to') ?? undefined,
    session: browser.session,
    askedFrom: browser.network,
    invitation: query.get('invitation')?.slice(0, 255),
  })
  setSecret(browser, secret, PENDING_SECONDS)
  return url.href
}

async function finish(ctx: ApiContext, services: Services, browser: Browser, provider: string): Promise<string> {
  const { to, session } = await finishAtProvider(services, {
    provider,
    query: ctx.querystring,
    browser: secretOf(browser),
    session: browser.session,
    from: browser.from,
  })
  forgetProblem(browser)
  if (session !== undefined) browser.setSession(session.secret, new Date(session.expiresAt))
  return to
}

/** Ends the sessions that an identity provider names (OpenID Connect Back-Channel Logout 1.0 §2.5). */
async function answerLogout(ctx: ApiContext, services: Services, bodies: BodyReceiver, logger: Logger): Promise<void> {
  keepQuiet(ctx)
  await refuseAfterFailures(ctx, services)
  const body = await bodies.during(ctx.req, holderOf(ctx), async (receive) =>
    (await receive(MAX_LOGOUT_BYTES)).toString(),
  )
  const token = new URLSearchParams(body).get('logout_token') ?? ''
  try {
    await countingFailures(ctx, services, () => endByProvider(services, token))
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'sign_in_refused') throw error
    logger.warn({ requestId: ctx.state.requestId, reason: reasonOf(error) }, 'a logout token is refused')
    throw new ServiceError('invalid_body', 'The field logout_token has no logout token of a provider of this service.')
  }
  ctx.body = { success: true, data: {} }
}

/** The URLs have secrets: no cache keeps them, and no other host hears of them. */
function keepQuiet(ctx: ApiContext): void {
  ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
}
