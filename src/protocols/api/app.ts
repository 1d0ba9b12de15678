// The REST API: the middleware in front of every endpoint, in order, and the handlers of the endpoints in the tables.

import Koa from 'koa'
import type { Logger } from 'pino'
import type { Services } from '../../usecases/context/services.js'
import { inNetworks } from '../../model/hosts/networks.js'
import { limitUnread } from '../http/server/http-server.js'
import { accessLog } from './access-log.js'
import { answerErrors } from './answer-errors.js'
import { answerOrigins } from './answer-origins.js'
import { compressAnswers } from './compress-answers.js'
import { dispatch } from './dispatch.js'
import { oauthHandlers } from './oauth/oauth-handlers.js'
import { documentHandlers } from './document-handlers.js'
import { openEndpoint } from './open-endpoint.js'
import { BodyReceiver } from './request/receive-body.js'
import type { ApiMiddleware, RequestState } from './request/request-state.js'
import { tellWaits } from './request/server-timing.js'
import { routeEndpoint } from './route-endpoint.js'
import type { RunRoute } from './run-route.js'
import { providerHandlers } from './sign-in/provider-handlers.js'
import { type AnswerTools, toolsHandler } from './tools-endpoint.js'
import { endLines, holdAnswers } from './unread-answers.js'

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
}

/** The app does not listen: its `callback()` takes the requests of the base host. */
export function createApi({
  services,
  runRoute,
  logger,
  isReady,
  trustedProxies,
  answerTools,
}: ApiParts): Koa<RequestState> {
  const app = new Koa<RequestState>()
  const bodies = new BodyReceiver(services.admission.memory.of('requests'), services.limits)
  // Koa reports clients that left as errors. Without a listener it would print them to standard error.
  app.on('error', (error: unknown) => logger.debug({ err: error }, 'a connection ended early'))
  app.use(tellWaits())
  app.use(accessLog(logger, inNetworks(trustedProxies)))
  app.use(securityFields())
  app.use(answerOrigins(services.baseUrl))
  app.use(endLines())
  app.use(answerErrors(logger, services.baseUrl))
  // Bounds the bytes that are read of a body after an early refusal.
  app.use(async ({ req, res }, next) => {
    limitUnread(req, res)
    await next()
  })
  app.use(compressAnswers())
  app.use(holdAnswers(services.admission.answers))
  // A refusal can be long too: the one for a stale If-Match has the difference of two versions.
  app.use(answerErrors(logger, services.baseUrl))
  const requests = { running: 0, waiting: 0 }
  app.use(
    dispatch({
      services,
      requests,
      handlerOf: (route) =>
        route.caller === 'key'
          ? routeEndpoint({ services, runRoute, bodies }, route)
          : openEndpoint(services, bodies, route),
      handlers: {
        ...documentHandlers({ services, isReady, requests }),
        ...oauthHandlers(services, bodies),
        ...providerHandlers(services, bodies, logger),
        tools: toolsHandler(services, bodies, answerTools),
      },
    }),
  )
  return app
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
