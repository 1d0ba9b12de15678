// Writes one log line for each request when its answer is sent. The line never holds a key, a cookie, a query or a body.

import type { Logger } from 'pino'
import { clientAddressOf, type IsTrusted } from '../http/trusted-proxies.js'
import { requestIdOf } from './request/request-fields.js'
import type { ApiMiddleware, RequestState } from './request/request-state.js'

interface LoggedRequest extends RequestState {
  method: string
  path: string
  status: number
  /** Whether the client left before its answer was sent. */
  aborted: boolean
}

/** Gives the request its id, for the log, the answer and the commit. */
export function accessLog(logger: Logger, isTrusted: IsTrusted): ApiMiddleware {
  return async (ctx, next) => {
    const started = performance.now()
    ctx.state.requestId = requestIdOf(ctx.req)
    ctx.state.client = clientAddressOf(ctx.req, isTrusted)
    ctx.set('X-Request-Id', ctx.state.requestId)
    ctx.res.once('close', () => {
      const { method, path, status } = ctx
      logRequest(logger, started, { ...ctx.state, method, path, status, aborted: !ctx.res.writableFinished })
    })
    await next()
  }
}

/** Logs a request. `started` is a time of `performance.now()`. */
export function logRequest(logger: Logger, started: number, request: LoggedRequest): void {
  const { requestId, client, method, path, status, principal, aborted } = request
  const milliseconds = Math.round((performance.now() - started) * 10) / 10
  const fields = { requestId, client, method, path, status, milliseconds, principal: principal?.id }
  logger.info({ ...fields, aborted: aborted || undefined }, 'request')
}
