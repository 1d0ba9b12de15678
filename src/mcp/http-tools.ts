// The tool protocol over Streamable HTTP: each request on its own, answered for the key that came with it.

import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Operation } from './operation.js'
import type { AskApi } from './ask-api.js'
import { createToolServers } from './tool-server.js'

export interface HttpTools {
  /** `body` is the request's JSON; `ask` speaks to the API for whoever sent the request. It never rejects. */
  answer(request: Request, body: unknown, ask: AskApi): Promise<Response>
  close(): Promise<void>
}

export function createHttpTools(operations: readonly Operation[], onError: (error: Error) => void): HttpTools {
  const toolServer = createToolServers(operations)
  const handler = createMcpHandler(({ authInfo }) => toolServer(authInfo?.extra?.['ask'] as AskApi), {
    onerror: onError,
    // Nothing here changes while it runs, so there is nothing to subscribe to.
    maxSubscriptions: 0,
  })
  return {
    answer: (request, body, ask) =>
      handler.fetch(request, {
        // Who sends the request is the API's to judge, by its own header fields.
        authInfo: { token: '', clientId: '', scopes: [], extra: { ask } },
        ...(body !== undefined && { parsedBody: body }),
      }),
    close: () => handler.close(),
  }
}
