// Connects the tools endpoint with the API that it calls: the same process and routes, for the tool's caller. The protocol's
// library would be a fifth of the code loaded at a start, so it is loaded with the first message.

import type { Logger } from 'pino'
import { KEY_ROUTES } from '../protocols/api/routes/table.js'
import type { AnswerTools } from '../protocols/api/tools-endpoint.js'
import type { HttpTools } from '../protocols/mcp/http-tools.js'
import { createInProcessApi, type InProcessApiParts } from './in-process-api.js'

export interface ServiceTools {
  answer: AnswerTools
  close(): Promise<void>
}

export function createServiceTools(parts: InProcessApiParts): ServiceTools {
  const { logger } = parts
  let tools: Promise<HttpTools> | undefined
  const apiFor = createInProcessApi(parts)
  return {
    async answer(message, body, caller) {
      tools ??= loadTools(logger)
      return await (await tools).answer(message, body, apiFor(caller), caller.principal)
    },
    close: async () => await (await tools)?.close(),
  }
}

async function loadTools(logger: Logger): Promise<HttpTools> {
  const { createHttpTools } = await import('../protocols/mcp/http-tools.js')
  return createHttpTools(KEY_ROUTES, (error) => logger.debug({ err: error }, 'a message to the tools was refused'))
}
