// The tool protocol over Streamable HTTP: each request stands alone and is answered for the key that it bears.

import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Operation } from './tools/operation.js'
import type { AskApi } from './ask-api.js'
import { createToolServers } from './tool-server.js'

export interface HttpTools {
  /** `body` is the request's JSON; `ask` asks the API as the caller. It never rejects. */
  answer(request: Request, body: unknown, ask: AskApi): Promise<Response>
  close(): Promise<void>
}

export function createHttpTools(operations: readonly Operation[], onError: (error: Error) => void): HttpTools {
  const toolServer = createToolServers(operations)
  const handler = createMcpHandler(({ authInfo }) => toolServer(authInfo?.extra?.['ask'] as AskApi), {
    onerror: onError,
    // The lists do not change while the process runs, so there is nothing to subscribe to.
    maxSubscriptions: 0,
  })
  return {
    answer: (request, body, ask) =>
      handler.fetch(request, {
        // The API has authenticated the caller already.
        authInfo: { token: '', clientId: '', scopes: [], extra: { ask } },
        ...(body !== undefined && { parsedBody: body }),
      }),
    close: () => handler.close(),
  }
}
