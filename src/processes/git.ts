// Gives git over HTTP the log and the statuses of the API: protocols do not import one another.

import type { Logger } from 'pino'
import { retryAfterOf } from '../admission/refused.js'
import { logRequest } from '../protocols/api/access-log.js'
import { refusalOf } from '../protocols/api/answer-errors.js'
import { requestIdOf } from '../protocols/api/request/request-fields.js'
import { ERROR_STATUS } from '../protocols/api/routes/error-status.js'
import { createGitHandler } from '../protocols/git-http/git-handler.js'
import { clientAddressOf, type IsTrusted } from '../protocols/http/trusted-proxies.js'
import type { Services } from '../usecases/context/services.js'

/** Logs each request as one of the API, and lets it take turns with those of the API. */
export function createLoggedGitHandler(
  services: Services,
  isTrusted: IsTrusted,
  logger: Logger,
): ReturnType<typeof createGitHandler> {
  return createGitHandler({
    services,
    logRequest: (request, response, principal) => {
      const started = performance.now()
      const requestId = requestIdOf(request)
      const client = clientAddressOf(request, isTrusted)
      const { method = '', url = '' } = request
      response.once('close', () => {
        const { statusCode: status, writableFinished } = response
        const caller = principal()
        const path = url.replace(/\?.*/s, '')
        const known = { requestId, client, method, path, status, aborted: !writableFinished }
        logRequest(logger, started, { ...known, ...(caller && { principal: caller }) })
      })
      return requestId
    },
    refusalOf: (error, requestId) => {
      const refusal = refusalOf(error, requestId, logger)
      return { refusal, status: ERROR_STATUS[refusal.code], retryAfterSeconds: retryAfterOf(refusal) }
    },
  })
}
