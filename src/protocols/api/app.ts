// The REST API: the middleware in front of every endpoint, in order, and the endpoints of the route table.

import { Router } from '@koa/router'
import Koa from 'koa'
import type { Logger } from 'pino'
import { ServiceError } from '../../model/errors.js'
import type { Services } from '../../usecases/context/services.js'
import type { Figures } from '../../admission/figures.js'
import { inNetworks } from '../../model/hosts/networks.js'
import { accessLog } from './access-log.js'
import { answerErrors } from './answer-errors.js'
import { answerOrigins } from './answer-origins.js'
import { limitUnread } from './request/limit-unread.js'
import { BodyReceiver } from './request/receive-body.js'
import { openRoutes } from './open-routes.js'
import { passkeyRoutes } from './sign-in/passkey-routes.js'
import { principalOf } from './sign-in/principal-of.js'
import type { ApiContext, ApiMiddleware, AuthenticatedState, RequestState } from './request/request-state.js'
import { compressAnswers } from './compress-answers.js'
import { type EndpointParts, routeEndpoint } from './route-endpoint.js'
import { API_PREFIX } from './routes/route.js'
import type { Route } from './routes/route.js'
import { ROUTES } from './routes/table.js'
import type { RunRoute } from './run-route.js'
import { tellWaits } from './request/server-timing.js'
import { TOOLS_PATH } from './request/tools-path.js'
import type { LoadAuthorizationServer } from './oauth/oauth-parts.js'
import { oauthRoutes } from './oauth/oauth-routes.js'
import { providerRoutes } from './sign-in/provider-routes.js'
import { invitationRoutes } from './sign-in/invitation-routes.js'
import { sessionRoutes } from './sign-in/session-routes.js'
import { type AnswerTools, toolsEndpoint } from './tools-endpoint.js'
import { holdAnswers } from './untaken-answers.js'

export interface ApiParts {
  services: Services
  runRoute: RunRoute
  logger: Logger
  /** False once the service stops: `/readyz` says so. */
  isReady: () => boolean
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  /** Answers messages of the tool protocol at `/mcp`. */
  answerTools: AnswerTools
  authorizationServer: LoadAuthorizationServer
}

/** The app does not listen: its `callback()` takes the requests of the base host. */
export function createApi({
  services,
  runRoute,
  logger,
  isReady,
  trustedProxies,
  answerTools,
  authorizationServer,
}: ApiParts): Koa<RequestState> {
  const app = new Koa<RequestState>()
  const bodies = new BodyReceiver(services.admission.memory.of('requests'), services.limits)
  // Koa reports clients that left as errors. Without a listener it would print them to standard error.
  app.on('error', (error: unknown) => logger.debug({ err: error }, 'a connection ended early'))
  app.use(tellWaits())
  app.use(accessLog(logger, inNetworks(trustedProxies)))
  app.use(securityFields())
  app.use(answerOrigins(services.baseUrl))
  app.use(answerErrors(logger, services.baseUrl))
  app.use(limitUnread())
  app.use(compressAnswers())
  app.use(holdAnswers(services.admission.answers))
  // A refusal can be long too: the one for a stale If-Match has the difference of two versions.
  app.use(answerErrors(logger, services.baseUrl))
  const requests = { running: 0, waiting: 0 }
  app.use(openRoutes({ services, isReady, requests }))
  app.use(count(requests))
  app.use(untilCurrent(services))
  app.use(oauthRoutes({ services, bodies, server: authorizationServer }))
  app.use(providerRoutes(services, bodies, logger))
  app.use(sessionRoutes({ services, bodies }))
  app.use(passkeyRoutes({ services, bodies }))
  app.use(invitationRoutes({ services, bodies }))
  app.use(toolsEndpoint(services, bodies, answerTools))
  app.use(requirePrincipal(services))
  app.use(createRouter({ services, runRoute, bodies }).routes())
  app.use(refuseRest())
  return app
}

/** It has no style of its own, which `ISOLATION` forbids; browsers show it in the colours of the reader's choice. */
const NOT_FOUND_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not found · Palimpsest</title>
<main>
<h1>There is nothing at this address</h1>
<p>Palimpsest publishes pages. <a href="/">Open the dashboard</a>, or read the <a href="/docs">API reference</a>.</p>
</main>
</html>
`

/** Counts the requests that are not answered yet. */
function count(requests: Figures): ApiMiddleware {
  return async (_ctx, next) => {
    requests.running += 1
    try {
      await next()
    } finally {
      requests.running -= 1
    }
  }
}

/** No page of another origin may open, frame, embed or run an answer. Answers that are pages have a wider policy of their own. */
const ISOLATION = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

function securityFields(): ApiMiddleware {
  return async (ctx, next) => {
    ctx.set(ISOLATION)
    ctx.set('Cache-Control', ctx.method === 'GET' || ctx.method === 'HEAD' ? 'private, no-cache' : 'no-store')
    ctx.set('Vary', 'Authorization, Cookie')
    await next()
  }
}

/** Brings this machine up to date before it authenticates anyone: another one may have revoked the key. */
function untilCurrent({ replica }: Services): ApiMiddleware {
  return async (_ctx, next) => {
    await replica.untilCurrent()
    await next()
  }
}

/** Answers 401 on every path of the API without a valid key or session, also on paths that do not exist. */
function requirePrincipal(services: Services): ApiMiddleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(`${API_PREFIX}/`) && ctx.path !== API_PREFIX) return answerUnknownPath(ctx)
    ctx.state.principal = await principalOf(services, ctx.req, API_PREFIX)
    return await next()
  }
}

function createRouter(parts: EndpointParts): Router<AuthenticatedState> {
  const router = new Router<AuthenticatedState>({ prefix: API_PREFIX, strict: true, sensitive: true })
  for (const route of ROUTES) router[route.method](koaPath(route), routeEndpoint(parts, route))
  return router
}

/** `/pages/{id}` in the router's form: `/pages/:id`. */
function koaPath({ path }: Route): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/** Answers a known path with another method: 405 with Allow (RFC 9110 §15.5.6), or the answer to OPTIONS. Otherwise 404. */
function refuseRest(): ApiMiddleware {
  const known = ROUTES.map(({ path, method }) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${API_PREFIX}${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  return (ctx) => {
    const methods = known.filter(({ pattern }) => pattern.test(ctx.path)).map(({ method }) => method)
    if (methods.length === 0) throw notFound(ctx)
    const allowed = [
      ...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
      'OPTIONS',
    ]
    ctx.set('Allow', allowed.join(', '))
    if (ctx.method !== 'OPTIONS') {
      throw new ServiceError(
        'method_not_allowed',
        `${ctx.method} is not allowed here. Allowed are: ${allowed.join(', ')}.`,
      )
    }
    ctx.status = 204
  }
}

/** Answers a path that belongs to nothing: a browser gets a page that leads to the dashboard, a program an error. */
function answerUnknownPath(ctx: ApiContext): void {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
  if (!isRead || ctx.headers.accept?.includes('text/html') !== true) throw notFound(ctx)
  ctx.status = 404
  ctx.type = 'html'
  ctx.body = NOT_FOUND_PAGE
}

/** The addresses that people give to a program in place of that of the tools. */
const NOT_OF_TOOLS = ['/sse', '/mcp/sse']

function notFound({ path }: ApiContext): ServiceError {
  if (NOT_OF_TOOLS.includes(path))
    return new ServiceError('route_not_found', `There is no such endpoint. The tools for agents are at ${TOOLS_PATH}.`)
  return new ServiceError('route_not_found', 'There is no such endpoint. /docs lists all of them.')
}
