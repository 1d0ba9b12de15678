// Serves the tool protocol at `/mcp`, with the limits of the API. It does not read the messages. Servers may leave out the stream of events
// (GET) and sessions (DELETE) (MCP, Streamable HTTP).

import { noValidKey, ServiceError } from '../../model/errors.js'
import type { Principal } from '../../model/principal.js'
import { maxBodyBytesOf } from '../../model/limits.js'
import type { HoldBytes, RequestOrigin } from '../../usecases/context/request-context.js'
import type { Services } from '../../usecases/context/services.js'
import { bodyRulesOf, type BodyRules, readBody } from './request/read-body.js'
import type { BodyReceiver, ReceiveBody } from './request/receive-body.js'
import type { ApiContext, AuthenticatedState, Handler } from './request/request-state.js'
import { TOOLS_PATH } from './request/tools-path.js'
import { originOf } from './sign-in/device.js'
import { principalAgain } from './sign-in/principal-of.js'

export interface ToolCaller extends AuthenticatedState {
  authenticate: () => Promise<Principal>
  hold: HoldBytes
  from: RequestOrigin
}

/** Answers a message of the protocol. It must not reject. */
export type AnswerTools = (request: Request, body: unknown, caller: ToolCaller) => Promise<Response>

export function toolsHandler(services: Services, bodies: BodyReceiver, answer: AnswerTools): Handler {
  const { baseUrl } = services
  return async (ctx) => {
    const { principal, requestId, client } = ctx.state
    if (principal === undefined) throw noValidKey()
    const { workspaceId } = principal
    const authenticate = () => principalAgain(services, ctx.req, TOOLS_PATH)
    await services.admission.enter(workspaceId, principal, (fields) => ctx.set(fields))
    const response = await bodies.during(ctx.req, workspaceId, async (receive, _stream, hold) => {
      const body = await readMessage(ctx, receive, bodyRulesOf(services, workspaceId))
      return await answer(toWebRequest(ctx, baseUrl), body, {
        requestId,
        client,
        // The message may have taken minutes to come.
        principal: await authenticate(),
        authenticate,
        hold,
        from: originOf(ctx),
      })
    })
    // Koa takes status and header fields from it. Its one result is read whole, which costs less than a stream.
    ctx.body = withoutConnection(response)
    ctx.body = Buffer.from(await response.arrayBuffer())
  }
}

/** A tool's arguments may hold a page, so a message may be as long as the longest body of the API. */
async function readMessage(ctx: ApiContext, receive: ReceiveBody, rules: BodyRules): Promise<unknown> {
  const body = await readBody(ctx.req, receive, { html: true, maxJsonBytes: maxBodyBytesOf(rules.limits) }, rules)
  if (body.kind === 'json') return body.value
  throw new ServiceError('unsupported_media_type', 'Send Content-Type: application/json, as UTF-8.')
}

function toWebRequest({ req, method }: ApiContext, baseUrl: string): Request {
  const headers = Object.entries(req.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return new Request(`${baseUrl}${TOOLS_PATH}`, { method, headers })
}

/** Leaves the field `Connection` to the server: only it knows that this answer is the last one of the connection. */
function withoutConnection({ status, headers }: Response): Response {
  const others = new Headers(headers)
  others.delete('Connection')
  return new Response(null, { status, headers: others })
}
