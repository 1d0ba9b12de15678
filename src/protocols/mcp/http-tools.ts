// The tool protocol over Streamable HTTP: each request stands alone and is answered for the key that it bears.

import { createMcpHandler } from '@modelcontextprotocol/server'
import { isToolset, TOOLSETS, type Toolset } from '../../model/principal.js'
import type { Operation } from './tools/operation.js'
import { withAnyAccept } from './any-accept.js'
import type { AskApi } from './ask-api.js'
import { createToolServers } from './tool-server.js'

const TOOLSET_FIELD = 'X-Toolset'

/** The caller, as the protocol's handler passes it on. */
interface Caller {
  ask: AskApi
  toolset: Toolset
}

export interface HttpTools {
  /**
   * Answers a request; never rejects. `body` is the request's JSON; `ask` asks the API as the caller. `X-Toolset` names the tools to offer;
   * without it, they are those of `toolset`.
   */
  answer(request: Request, body: unknown, ask: AskApi, toolset?: Toolset): Promise<Response>
  close(): Promise<void>
}

export function createHttpTools(operations: readonly Operation[], onError: (error: Error) => void): HttpTools {
  const toolServer = createToolServers(operations)
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { ask, toolset } = (authInfo?.extra ?? {}) as unknown as Caller
      return toolServer(ask, toolset)
    },
    {
      onerror: onError,
      // The lists do not change while the process runs, so there is nothing to subscribe to.
      maxSubscriptions: 0,
    },
  )
  return {
    answer: (request, body, ask, ofCaller = 'all') => {
      const toolset = request.headers.get(TOOLSET_FIELD) ?? ofCaller
      if (!isToolset(toolset)) return Promise.resolve(unknownToolset(toolset))
      // The API has authenticated the caller already.
      const authInfo = { token: '', clientId: '', scopes: [], extra: { ask, toolset } }
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
