// Answers a route: turns the request into plain values, and the result into status, header fields and envelope.

import type { Services } from '../../usecases/context/services.js'
import type { LongField, Result } from '../../usecases/context/result.js'
import { CODINGS } from '../http/accept-encoding.js'
import { namesTag, tagInCoding } from '../http/entity-tag.js'
import { noValidKey } from '../../model/errors.js'
import { toSeconds } from '../../model/clock.js'
import type { Content } from '../../model/bytes.js'
import { originOf } from './sign-in/device.js'
import { principalAgain } from './sign-in/principal-of.js'
import { sendContent } from './send-content.js'
import { bodyRulesOf, readBody, readBytes } from './request/read-body.js'
import type { BodyReceiver } from './request/receive-body.js'
import type { ApiContext, Handler } from './request/request-state.js'
import { API_PREFIX, type Route } from './routes/route.js'
import type { RunRoute } from './run-route.js'

export interface EndpointParts {
  services: Services
  runRoute: RunRoute
  bodies: BodyReceiver
}

export function routeEndpoint({ services, runRoute, bodies }: EndpointParts, route: Route): Handler {
  return async (ctx, params) => {
    const { principal, requestId } = ctx.state
    if (principal === undefined) throw noValidKey()
    const { workspaceId } = principal
    await services.admission.enter(workspaceId, principal, (fields) => ctx.set(fields))
    const result = await bodies.during(ctx.req, workspaceId, (receive, stream, hold) =>
      runRoute(route, {
        principal,
        authenticate: () => principalAgain(services, ctx.req, API_PREFIX),
        requestId,
        fields: ctx.req.headers,
        params,
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
  const { data, created, accepted, location, etag, nextCursor, long, changeRequest } = result
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
  const others = {
    ...(route.list && { paging: { nextCursor: nextCursor ?? null } }),
    ...(changeRequest !== undefined && { changeRequest }),
  }
  if (long === undefined) ctx.body = { success: true, data, ...others }
  else {
    ctx.type = 'json'
    ctx.body = withLongField({ success: true, data, ...others }, long)
  }
}

/** Returns the client's entity tag that is current, in any content coding; undefined if none is. */
function currentTag(field: string | undefined, etag: string | undefined): string | undefined {
  if (field === undefined || etag === undefined) return undefined
  const tags = CODINGS.toReversed().map((coding) => tagInCoding(etag, coding))
  return tags.find((tag) => namesTag(field, tag))
}

interface Envelope {
  success: true
  /** An object with at least one field, or a list of one such object. */
  data: unknown
}

/**
 * Returns the JSON of the envelope, with the field as the last one of its `data`, or of the one entry of `data`. The field is JSON
 * already: none of it is parsed or serialized again.
 */
function withLongField({ data, ...others }: Envelope, { name, json }: LongField): Buffer {
  const entry = JSON.stringify(Array.isArray(data) ? data[0] : data)
  const [open, close] = Array.isArray(data) ? ['[', ']'] : ['', '']
  const start = `${JSON.stringify(others).slice(0, -1)},"data":${open}${entry.slice(0, -1)},${JSON.stringify(name)}:`
  return Buffer.concat([Buffer.from(start), json, Buffer.from(`}${close}}\n`)])
}
