// Makes Koa middleware of a route: turns the request into plain values, and the result into status, header fields and envelope.

import type { RouterMiddleware } from '@koa/router'
import type { Services } from '../../usecases/context/services.js'
import { type Result } from '../../usecases/context/result.js'
import { CODINGS } from '../http/accept-encoding.js'
import { namesTag, tagInCoding } from '../http/entity-tag.js'
import { toSeconds } from '../../model/clock.js'
import type { Content } from '../../model/bytes.js'
import { originOf } from './sign-in/device.js'
import { principalAgain } from './sign-in/principal-of.js'
import { sendContent } from './send-content.js'
import { bodyRulesOf, readBody, readBytes } from './request/read-body.js'
import type { BodyReceiver } from './request/receive-body.js'
import type { ApiContext, AuthenticatedState } from './request/request-state.js'
import { withLongField } from './long-field.js'
import { API_PREFIX, type Route } from './routes/route.js'
import type { RunRoute } from './run-route.js'

export interface EndpointParts {
  services: Services
  runRoute: RunRoute
  bodies: BodyReceiver
}

export function routeEndpoint(
  { services, runRoute, bodies }: EndpointParts,
  route: Route,
): RouterMiddleware<AuthenticatedState> {
  return async (ctx) => {
    const { principal, requestId } = ctx.state
    const { workspaceId } = principal
    await services.admission.enter(workspaceId, principal, (fields) => ctx.set(fields))
    const result = await bodies.during(ctx.req, workspaceId, (receive, stream, hold) =>
      runRoute(route, {
        principal,
        authenticate: () => principalAgain(services, ctx.req, API_PREFIX),
        requestId,
        fields: ctx.req.headers,
        params: ctx.params,
        query: ctx.querystring,
        readBody: (taken) => readBody(ctx.req, receive, taken, bodyRulesOf(services, workspaceId)),
        readBytes: (maxBytes) => readBytes(ctx.req, stream, maxBytes),
        hold,
        from: originOf(ctx),
      }),
    )
    if (route.content)
      await sendContent(ctx, result.data as Content, {
        now: toSeconds(services.clock()),
        gate: services.admission.gate('files'),
        workspaceId,
      })
    else send(ctx, services.baseUrl, route, result)
  }
}

function send(ctx: ApiContext, baseUrl: string, route: Route, result: Result): void {
  const { data, created, accepted, location, etag, nextCursor, long } = result
  if (etag !== undefined) ctx.set('ETag', etag)
  const current = route.method === 'get' ? currentTag(ctx.req.headers['if-none-match'], etag) : undefined
  if (current !== undefined) {
    ctx.set('ETag', current)
    ctx.status = 304
    return
  }
  ctx.status = accepted === true ? 202 : created === true ? 201 : 200
  if ((created === true || accepted === true) && location !== undefined) {
    ctx.set('Location', location.startsWith('/') ? `${baseUrl}${API_PREFIX}${location}` : location)
  }
  const paging = route.list && { paging: { nextCursor: nextCursor ?? null } }
  if (long === undefined) ctx.body = { success: true, data, ...paging }
  else {
    ctx.type = 'json'
    ctx.body = withLongField({ success: true, data, ...paging }, long)
  }
}

/** Returns the client's entity tag that is current, in any content coding; undefined if none is. */
function currentTag(field: string | undefined, etag: string | undefined): string | undefined {
  if (field === undefined || etag === undefined) return undefined
  const tags = CODINGS.toReversed().map((coding) => tagInCoding(etag, coding))
  return tags.find((tag) => namesTag(field, tag))
}
