// Tells apart why a sign-in at an identity provider failed. People get a sentence; the cause is for the log.

import { errors as jose } from 'jose'
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { ServiceError } from '../../model/errors.js'

/** Codes of ClientError for an answer that did not come in time. */
const NO_ANSWER: ReadonlySet<string | undefined> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT'])

/** Returns the refusal for an error of `openid-client` or `jose`. `name` is the provider's. */
export function explainFailure(error: unknown, name: string): ServiceError {
  if (error instanceof ServiceError) return error
  const refusal = isDown(error) ? down(name) : isRefusal(error) ? refused(name) : untrusted(name)
  return Object.assign(refusal, { cause: error })
}

/** Returns the refusal of an answer that proves nothing. `reason` is for the log. */
export function untrusted(name: string, reason?: string): ServiceError {
  const refusal = new ServiceError(
    'sign_in_refused',
    `The answer of ${name} proves nothing, so nobody is signed in. Begin again; if that does not help, ask the person who runs this service: its log has the reason.`,
  )
  return Object.assign(refusal, { cause: reason })
}

function down(name: string): ServiceError {
  return new ServiceError(
    'identity_provider_down',
    `${name} gives no answer now. Try again in a minute, or sign in another way.`,
  )
}

function refused(name: string): ServiceError {
  return new ServiceError('sign_in_refused', `${name} did not let you in. Begin again, or sign in another way.`)
}

function isDown(error: unknown): boolean {
  if (error instanceof jose.JWKSTimeout) return true
  // fetch rejects with a TypeError if there is no connection.
  if (error instanceof TypeError && error.message === 'fetch failed') return true
  if (!(error instanceof ClientError)) return false
  return NO_ANSWER.has(error.code) || statusOf(error.cause) >= 500 || isDown(error.cause)
}

/** Returns 0 unless the value is an HTTP answer. */
function statusOf(cause: unknown): number {
  return cause instanceof Response ? cause.status : 0
}

/** Whether the provider said no in the form of RFC 6749 §4.1.2.1 or §5.2. */
function isRefusal(error: unknown): boolean {
  return error instanceof AuthorizationResponseError || (error instanceof ResponseBodyError && error.status < 500)
}
