// Answers web pages of other origins (Fetch standard §3.2, "HTTP CORS protocol"). Until a key is known, every page gets an answer: to its
// preflight, and the refusal of an invalid key. Then the key decides. Cookies are never allowed, so no page of another origin acts with a
// session.

import { isOwnOrigin } from '../http/own-origin.js'
import { isWebOrigin } from '../../model/hosts/web-origin.js'
import type { ApiContext, ApiMiddleware } from './request/request-state.js'
import { API_PREFIX } from './routes/route.js'
import { isOfTools } from './request/tools-path.js'

/** The longest time for which Chromium keeps the answer to a preflight. */
const PREFLIGHT_SECONDS = 7200
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Header fields of answers that a page may read, in addition to those that it always may. */
const EXPOSED =
  'Accept-Ranges, Allow, Content-Range, ETag, Location, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, WWW-Authenticate, X-Request-Id'

/** Wraps all middleware that can refuse: the page must be able to read refusals too. */
export function answerOrigins(baseUrl: string): ApiMiddleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(`${API_PREFIX}/`) && !isOfTools(ctx.path)) return await next()
    ctx.vary('Origin')
    const { origin } = ctx.req.headers
    if (origin === undefined || isOwnOrigin(ctx.req.headers, baseUrl) || !isWebOrigin(origin)) return await next()
    if (isPreflight(ctx)) return answerPreflight(ctx, origin)
    await next()
    if (isRefusedOrigin(ctx)) return undefined
    ctx.set('Access-Control-Allow-Origin', origin)
    ctx.set('Access-Control-Expose-Headers', EXPOSED)
    return undefined
  }
}

function isPreflight({ method, req }: ApiContext): boolean {
  return method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined
}

/**
 * Answers alike for every path, so that the answer does not tell which paths exist. Fields are no secret: all requested ones are allowed.
 */
function answerPreflight(ctx: ApiContext, origin: string): undefined {
  const fields = ctx.get('Access-Control-Request-Headers')
  ctx.status = 204
  ctx.set('Access-Control-Allow-Origin', origin)
  ctx.set('Access-Control-Allow-Methods', METHODS)
  if (fields !== '') ctx.set('Access-Control-Allow-Headers', fields)
  ctx.set('Access-Control-Max-Age', String(PREFLIGHT_SECONDS))
}

/** Whether the refusal, of status 403, came before the caller was authenticated: `origin_not_allowed` or `cross_site_request`. */
function isRefusedOrigin({ status, state }: ApiContext): boolean {
  return status === 403 && state.principal === undefined
}
