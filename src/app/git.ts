// Gives git over HTTP the log and the statuses of the API: protocols do not import one another.

import type { Logger } from 'pino'
import type { Figures } from '../admission/figures.js'
import type { ThreadGate } from '../admission/thread-gate.js'
import { logRequest } from '../api/access-log.js'
import { refusalOf } from '../api/answer-errors.js'
import { requestIdOf } from '../api/request/request-fields.js'
import { ERROR_STATUS } from '../api/routes/error-status.js'
import { createGitDoor as createDoor } from '../git-http/git-door.js'
import { HeldBytes } from '../git-http/held-bytes.js'
import { ReceivePack } from '../git-http/receive-pack.js'
import { UploadPack } from '../git-http/upload-pack.js'
import { clientAddressOf, type IsTrusted } from '../http/trusted-proxies.js'
import type { Services } from '../usecases/context/services.js'

export type GitFigures = () => Record<'fetches' | 'pushes', Figures>

/** Logs each request as one of the API, and lets it take turns with those of the API. */
export function createGitDoor(
  services: Services,
  gate: ThreadGate,
  isTrusted: IsTrusted,
  logger: Logger,
): { door: ReturnType<typeof createDoor>; figures: GitFigures } {
  const held = new HeldBytes()
  const uploadPack = new UploadPack(services, held)
  const receivePack = new ReceivePack(services)
  const door = createDoor({
    services,
    held,
    uploadPack,
    receivePack,
    enter: (workspaceId) => gate.enter(workspaceId),
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
      return { refusal, status: ERROR_STATUS[refusal.code] }
    },
  })
  return { door, figures: () => ({ fetches: uploadPack.figures, pushes: receivePack.figures }) }
}
