// Turns a thrown error into the error envelope. The cause of an internal failure is logged and never sent.

import type { Logger } from 'pino'
import { retryAfterOf } from '../../admission/refused.js'
import { ServiceError } from '../../model/errors.js'
import { ERROR_STATUS } from './routes/error-status.js'
import { challengeOf } from './oauth/challenge.js'
import type { ApiContext, ApiMiddleware } from './request/request-state.js'

/** Codes that are signs of load or of a full quota, not of damage: one log line each, without a stack. */
const PASSING: ReadonlySet<string> = new Set([
  'byte_quota_exceeded',
  'queue_full',
  'service_busy',
  'site_busy',
  'shutting_down',
])

/** Statuses and codes with `Retry-After`. */
const TRY_AGAIN: ReadonlySet<number> = new Set([429, 503])
const MEETS_ANOTHER: ReadonlySet<string> = new Set(['idempotency_in_progress', 'too_many_imports'])

export interface ErrorBody {
  success: false
  error: { code: string; message: string; requestId: string; details?: unknown }
}

/** `baseUrl` is where clients learn how to get a token. */
export function answerErrors(logger: Logger, baseUrl: string): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      send(ctx, refusalOf(error, ctx.state.requestId, logger), baseUrl)
    }
  }
}

/** Returns the error for the client. Logs it if the cause is in the service and not in the request. */
export function refusalOf(error: unknown, requestId: string, logger: Logger): ServiceError {
  const isKnown = error instanceof ServiceError && error.code !== 'internal'
  const refusal = isKnown
    ? error
    : new ServiceError('internal', 'Internal error. Look up the requestId in the log of the service.')
  const { code } = refusal
  if (PASSING.has(code)) logger.warn({ requestId, code }, 'request refused: overload or quota')
  else if (ERROR_STATUS[code] >= 500) logger.error({ requestId, err: error }, 'request failed')
  return refusal
}

function send(ctx: ApiContext, refusal: ServiceError, baseUrl: string): void {
  const { code, message, details } = refusal
  const status = ERROR_STATUS[code]
  ctx.status = status
  const challenge = challengeOf(ctx, refusal, baseUrl)
  if (challenge !== undefined) ctx.set('WWW-Authenticate', challenge)
  // RFC 9110 §15.5.16: the field names the codings of a body that are accepted.
  if (status === 415) ctx.set('Accept-Encoding', 'identity')
  if (TRY_AGAIN.has(status) || MEETS_ANOTHER.has(code)) ctx.set('Retry-After', String(retryAfterOf(refusal)))
  const etag = (details as { etag?: unknown } | undefined)?.etag
  if (status === 412 && typeof etag === 'string') ctx.set('ETag', etag)
  const { requestId } = ctx.state
  const body: ErrorBody = {
    success: false,
    error: { code, message, requestId, ...(details !== undefined && { details }) },
  }
  ctx.body = body
}
