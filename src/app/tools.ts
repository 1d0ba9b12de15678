// Joins the tool door to the API that it calls: the same process, the same route table, for whoever asks.

import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import { ROUTES } from '../api/routes/table.js'
import type { AnswerTools } from '../api/tools-endpoint.js'
import { createInProcessApi } from './in-process-api.js'
import { createHttpTools } from '../mcp/http-tools.js'

export interface ServiceTools {
  answer: AnswerTools
  close(): Promise<void>
}

/** `handle` takes the requests of the base host. */
export function createServiceTools(baseUrl: string, handle: RequestListener, logger: Logger): ServiceTools {
  const tools = createHttpTools(ROUTES, (error) => logger.debug({ err: error }, 'a message to the tools was refused'))
  const apiFor = createInProcessApi(baseUrl, handle)
  return {
    answer: async (message, body, { principal, requestId, request }) => {
      const forwarded = request.headers['x-forwarded-for']
      const ask = apiFor({
        principal,
        remoteAddress: request.socket.remoteAddress,
        headers: {
          'x-request-id': requestId,
          ...(forwarded !== undefined && { 'x-forwarded-for': String(forwarded) }),
        },
      })
      return await tools.answer(message, body, ask)
    },
    close: () => tools.close(),
  }
}
