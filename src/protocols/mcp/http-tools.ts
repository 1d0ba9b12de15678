// The tool protocol over Streamable HTTP: each request stands alone and is answered for the key that it bears.

import { createMcpHandler } from '@modelcontextprotocol/server'
import { isToolset, type Principal, TOOLSETS } from '../../model/principal.js'
import type { Operation } from './tools/operation.js'
import type { AskApi } from './ask-api.js'
import { createToolServers, type Offer } from './tool-server.js'

const TOOLSET_FIELD = 'X-Toolset'
/** The protocol's library refuses each Accept field that does not spell out both of its media types. */
const BOTH = 'application/json, text/event-stream'
/** Names the stream of events, unless with the weight 0 (RFC 9110 §12.5.1). */
const STREAM = /\btext\/event-stream\b(?!\s*;\s*q\s*=\s*0(?:\.0*)?\s*(?:[,;]|$))/i

/** The caller, as the protocol's handler passes it on. */
interface Caller {
  ask: AskApi
  offer: Offer
}

export interface HttpTools {
  /**
   * Answers a request; never rejects. `body` is the request's JSON; `ask` asks the API as the caller. `X-Toolset` names the tools to offer;
   * without it, they are those of the caller's toolset.
   */
  answer(request: Request, body: unknown, ask: AskApi, caller: Pick<Principal, 'scopes' | 'toolset'>): Promise<Response>
  close(): Promise<void>
}

export function createHttpTools(operations: readonly Operation[], onError: (error: Error) => void): HttpTools {
  const toolServer = createToolServers(operations)
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { ask, offer } = (authInfo?.extra ?? {}) as unknown as Caller
      return toolServer(ask, offer)
    },
    {
      onerror: onError,
      // The lists do not change while the process runs, so there is nothing to subscribe to.
      maxSubscriptions: 0,
    },
  )
  return {
    answer: (request, body, ask, { scopes, toolset: ofCaller = 'all' }) => {
      const toolset = request.headers.get(TOOLSET_FIELD) ?? ofCaller
      if (!isToolset(toolset)) return Promise.resolve(unknownToolset(toolset))
      // The API has authenticated the caller already.
      const authInfo = { token: '', clientId: '', scopes: [], extra: { ask, offer: { toolset, scopes } } }
      const parsed = body !== undefined && { parsedBody: body }
      return withAnyAccept(request, Array.isArray(body), (both) => handler.fetch(both, { authInfo, ...parsed }))
    },
    close: () => handler.close(),
  }
}

function unknownToolset(name: string): Response {
  const message = `There is no toolset ${JSON.stringify(name)}: ${TOOLSET_FIELD} is ${TOOLSETS.join(' or ')}.`
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32602, message } }, { status: 400 })
}

/** Answers with a stream only a client that names it. Everybody else gets the same messages as JSON. */
async function withAnyAccept(
  request: Request,
  isBatch: boolean,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const takesStream = STREAM.test(request.headers.get('accept') ?? '')
  request.headers.set('accept', BOTH)
  const response = await answer(request)
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  return isStream && !takesStream ? await toJson(response, isBatch) : response
}

/** Returns the answers in a stream of events as JSON. Notifications, which have no id, are left out. */
async function toJson(response: Response, isBatch: boolean): Promise<Response> {
  const lines = (await response.text()).split('\n').filter((line) => /^data: *\{/.test(line))
  const messages = lines.map((line) => JSON.parse(line.slice('data:'.length)) as { id?: unknown })
  const answers = messages.filter(({ id }) => id !== undefined)
  return Response.json(isBatch ? answers : answers[0], { status: response.status })
}
