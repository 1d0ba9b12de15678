// Turns what was thrown into the error envelope. The cause of trouble is logged, and never sent.

import type { Context, Middleware } from 'koa'
import type { Logger } from 'pino'
import { ServiceError } from '../model/errors.js'
import { ERROR_STATUS } from './error-status.js'

const RETRY_SECONDS = '1'

/** Signs of load, not of damage: a line each, without a stack. */
const PASSING: ReadonlySet<string> = new Set(['queue_full', 'site_busy', 'shutting_down'])

export interface ErrorBody {
  success: false
  error: { code: string; message: string; requestId: string; details?: unknown }
}

export function answerErrors(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const known = error instanceof ServiceError && error.code !== 'internal'
      const refusal = known
        ? error
        : new ServiceError('internal', 'Something failed here. It has been noted under the request id.')
      const status = ERROR_STATUS[refusal.code]
      if (PASSING.has(refusal.code)) logger.warn({ requestId: ctx['requestId'], code: refusal.code }, 'request put off')
      else if (status >= 500) logger.error({ requestId: ctx['requestId'], err: error }, 'request failed')
      send(ctx, status, refusal)
    }
  }
}

function send(ctx: Context, status: number, { code, message, details }: ServiceError): void {
  ctx.status = status
  if (status === 401) ctx.set('WWW-Authenticate', 'Bearer')
  if (code === 'insufficient_scope') ctx.set('WWW-Authenticate', 'Bearer error="insufficient_scope"')
  if (status === 503) ctx.set('Retry-After', RETRY_SECONDS)
  const etag = (details as { etag?: unknown } | undefined)?.etag
  if (status === 412 && typeof etag === 'string') ctx.set('ETag', etag)
  const requestId = String(ctx['requestId'])
  const body: ErrorBody = {
    success: false,
    error: { code, message, requestId, ...(details !== undefined && { details }) },
  }
  ctx.body = body
}
