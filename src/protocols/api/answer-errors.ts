// Turns a thrown error into the error envelope. The cause of an internal failure is logged and never sent.

import type { Logger } from 'pino'
import { retryAfterOf } from '../../admission/refused.js'
import { type ErrorCode, ServiceError } from '../../model/errors.js'
import { ERROR_STATUS } from './routes/error-status.js'
import { challengeOf } from './oauth/resources.js'
import type { ApiContext, ApiMiddleware } from './request/request-state.js'

/** Refusals that are no sign of damage, and what the log says of them: one line each, without a stack. */
const PASSING: Readonly<Partial<Record<ErrorCode, string>>> = {
  byte_quota_exceeded: 'request refused: a quota is full',
  queue_full: 'request refused: too much waits already',
  service_busy: 'request refused: the service is overloaded',
  site_busy: 'request refused: this site cannot do it now',
  shutting_down: 'request refused: the service is stopping',
}
const MAX_REASON_CHARACTERS = 300

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
  const passing = PASSING[code]
  if (passing !== undefined) logger.warn({ requestId, code, reason: reasonOf(refusal) }, passing)
  else if (ERROR_STATUS[code] >= 500) logger.error({ requestId, err: error }, 'request failed')
  return refusal
}

/** Returns the reason that only the log has, or else the one that the client hears. */
function reasonOf({ cause, message }: ServiceError): string {
  const reason = cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : message
  return reason.slice(0, MAX_REASON_CHARACTERS)
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
