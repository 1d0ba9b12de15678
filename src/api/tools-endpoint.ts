// `/mcp`: the tool protocol over HTTP. Who may come in, and how large a message may be, is as for the API; what it says is not
// known here.

import type { Context, Middleware } from 'koa'
import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../model/errors.js'
import type { Principal } from '../model/principal.js'
import type { Services } from '../usecases/context/services.js'
import { principalOf } from './sign-in/principal-of.js'
import { readBody } from './request/read-body.js'
import { bearerOf } from './request/request-fields.js'

export const TOOLS_PATH = '/mcp'

export interface Caller {
  principal: Principal
  requestId: string
  request: IncomingMessage
}

/** Answers a message of the protocol; `body` is undefined where the method has none. It must not reject. */
export type AnswerTools = (request: Request, body: unknown, caller: Caller) => Promise<Response>

export function toolsEndpoint(services: Services, answer: AnswerTools): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== TOOLS_PATH) return await next()
    refuseOtherOrigins(ctx.req, services.baseUrl)
    // A session is of the dashboard: it opens no tools.
    if (bearerOf(ctx.req) === undefined)
      throw new ServiceError('unauthenticated', 'Send a valid API key: "Authorization: Bearer <key>".')
    const principal = await principalOf(services, ctx.req)
    ctx['principal'] = principal
    const body = ctx.method === 'POST' ? await readMessage(ctx, services) : undefined
    const caller = { principal, requestId: String(ctx['requestId']), request: ctx.req }
    await send(ctx, await answer(toWebRequest(ctx, services), body, caller))
    return undefined
  }
}

/**
 * A page of another origin never speaks for its reader here. One that gave its own name this address (DNS rebinding) does not
 * come so far: only names of the base host do.
 */
function refuseOtherOrigins({ headers }: IncomingMessage, baseUrl: string): void {
  const { origin, host } = headers
  if (origin === undefined || origin === baseUrl || origin === `${new URL(baseUrl).protocol}//${host ?? ''}`) return
  throw new ServiceError('cross_site_request', `Pages of ${baseUrl} alone may use the tools from a browser.`)
}

/** A tool's arguments may hold a page, so a message may be as long as the longest body of the API. */
async function readMessage(ctx: Context, { limits }: Services): Promise<unknown> {
  const body = await readBody(ctx.req, { html: true, holdsPages: true }, limits)
  if (body.kind === 'json') return body.value
  throw new ServiceError('unsupported_media_type', 'Send Content-Type: application/json, as UTF-8.')
}

function toWebRequest({ req, method }: Context, { baseUrl }: Services): Request {
  const headers = Object.entries(req.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return new Request(`${baseUrl}${TOOLS_PATH}`, { method, headers })
}

/** As a whole, which costs less than a stream: each answer ends with its one result, in the era that wraps it in events too. */
async function send(ctx: Context, answer: Response): Promise<void> {
  // Koa takes status and header fields from it.
  ctx.body = answer
  ctx.body = Buffer.from(await answer.arrayBuffer())
}
