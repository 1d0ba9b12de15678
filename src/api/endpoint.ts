// One route as a Koa middleware. The order of the steps is the order of refusals: header fields, workspace and site,
// scope, media type, size, body, and only then what the use case finds.

import type { Context, Middleware } from 'koa'
import { ServiceError } from '../model/errors.js'
import type { Principal } from '../model/principal.js'
import type { Result } from '../usecases/context/result.js'
import type { Services } from '../usecases/context/services.js'
import { type RequestContext, resolveTarget } from '../usecases/context/target.js'
import { type Check, compileCheck } from './request/check-input.js'
import { parseQuery } from './request/parse-query.js'
import { isNotModified, parseIfMatch, parseIfNoneMatch } from './request/preconditions.js'
import { readBody } from './request/read-body.js'
import { idempotencyKeyOf, targetIdsOf } from './request/request-fields.js'
import type { Route } from './routes/route.js'

const NOTHING: Record<string, unknown> = {}

export const API_PREFIX = '/api/v1'

interface Checks {
  params: Check
  query: Check
  body: Check
}

export function endpoint(services: Services, route: Route): Middleware {
  const checks = compileChecks(route)
  return async (ctx) => {
    const ids = targetIdsOf(ctx.req)
    const conditions = conditionsOf(ctx, route)
    const idempotencyKey = route.method === 'post' ? idempotencyKeyOf(ctx.req) : undefined
    const principal = ctx['principal'] as Principal
    const context: RequestContext = {
      principal,
      target: resolveTarget(services, principal, ids, route.scope),
      requestId: String(ctx['requestId']),
      route: `${route.method.toUpperCase()} ${route.path}`,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    }
    const input = await readInput(ctx, route, checks, services)
    send(ctx, services, route, await route.run(services, context, { ...input, ...conditions }))
  }
}

function compileChecks({ params, query, body }: Route): Checks {
  const none = () => undefined
  return {
    params: params === undefined ? none : compileCheck(params, 'invalid_id', 'The path'),
    query: query === undefined ? refuseAnyQuery : compileCheck(query, 'invalid_query', 'The query'),
    body: body === undefined ? none : compileCheck(body.json, 'invalid_body', 'The body'),
  }
}

function refuseAnyQuery(query: unknown): void {
  const names = Object.keys(query as object)
  if (names.length === 0) return
  throw new ServiceError('invalid_query', `This endpoint takes no query parameters: leave out ${names.join(', ')}.`)
}

function conditionsOf(ctx: Context, route: Route): { ifMatch?: string[] | '*'; ifNoneMatch?: '*' } {
  const ifMatch = route.ifMatch ? ctx.req.headers['if-match'] : undefined
  const ifNoneMatch = route.ifNoneMatch ? ctx.req.headers['if-none-match'] : undefined
  return {
    ...(ifMatch !== undefined && { ifMatch: parseIfMatch(ifMatch) }),
    ...(ifNoneMatch !== undefined && { ifNoneMatch: parseIfNoneMatch(ifNoneMatch) }),
  }
}

/** Path parameters, query and body in one object, each checked against its schema. */
async function readInput(ctx: Context, route: Route, checks: Checks, services: Services): Promise<object> {
  const body = route.body && (await readBody(ctx.req, route.body, services.limits))
  const params = ctx['params'] as Record<string, string>
  checks.params(params)
  const query = parseQuery(ctx.querystring, route.query)
  checks.query(query)
  if (body === undefined) return { ...query, ...params }
  if (body.kind === 'html') return { ...query, ...params, html: body.bytes }
  checks.body(body.value)
  const fields = body.value as Record<string, unknown>
  const known = route.body?.json.properties ?? {}
  const twice = Object.keys(query).find(
    (name) => name in fields || (name in known && route.method === 'post' && route.body?.html === true),
  )
  if (twice === undefined) return { ...query, ...fields, ...params }
  throw new ServiceError('invalid_query', `With a JSON body, send "${twice}" in the body and not in the query.`)
}

function send(ctx: Context, services: Services, route: Route, result: Result): void {
  const { data, created, location, etag, nextCursor } = result
  if (etag !== undefined) ctx.set('ETag', etag)
  if (route.method === 'get' && etag !== undefined && isNotModified(ctx.req.headers['if-none-match'], etag)) {
    ctx.status = 304
    return
  }
  ctx.status = created === true ? 201 : 200
  if (created === true && location !== undefined) {
    ctx.set('Location', location.startsWith('/') ? `${services.baseUrl}${API_PREFIX}${location}` : location)
  }
  ctx.body = { success: true, data, ...(route.list ? { paging: { nextCursor: nextCursor ?? null } } : NOTHING) }
}
