// Joins the tool door to the API that it calls: the same process, the same routes, for the caller of the tool.

import { ROUTES } from '../api/routes/table.js'
import type { AnswerTools } from '../api/tools-endpoint.js'
import { createHttpTools } from '../mcp/http-tools.js'
import { createInProcessApi, type InProcessApiParts } from './in-process-api.js'

export interface ServiceTools {
  answer: AnswerTools
  close(): Promise<void>
}

export function createServiceTools(parts: InProcessApiParts): ServiceTools {
  const { logger } = parts
  const tools = createHttpTools(ROUTES, (error) => logger.debug({ err: error }, 'a message to the tools was refused'))
  const apiFor = createInProcessApi(parts)
  return {
    answer: async (message, body, caller) =>
      await tools.answer(message, body, apiFor(caller), caller.principal.toolset),
    close: () => tools.close(),
  }
}
