// Registers the clients of agents (RFC 7591). Anybody may register one: it gives no rights, and ends if nobody connects it.

import { answersAnyOrigin } from './any-origin.js'
import { ServiceError } from '../../../model/errors.js'
import { retryAfterOf } from '../../../admission/refused.js'
import type { ApiContext } from '../request/request-state.js'
import { countAddress, type OAuthParts, readShortJson } from './oauth-parts.js'
import { ERROR_STATUS } from '../routes/error-status.js'

const MAX_METADATA_BYTES = 16 * 1024

/** Answers in the form of the RFC, also refusals: these words are all that people see of a program that fails here. */
export async function answerRegistration(ctx: ApiContext, parts: OAuthParts): Promise<void> {
  ctx.set('Cache-Control', 'no-store')
  if (answersAnyOrigin(ctx, 'POST')) return
  if (ctx.method !== 'POST') {
    ctx.set('Allow', 'POST, OPTIONS')
    throw new ServiceError('method_not_allowed', 'Programs register here: send POST with their metadata.')
  }
  try {
    await countAddress(ctx, parts.services, 'registrations')
    const metadata = await readShortJson(ctx, parts, MAX_METADATA_BYTES)
    const registered = await (await parts.server()).register(metadata, ctx.state.client ?? '')
    ctx.status = 201
    ctx.body = registered
  } catch (error) {
    refuse(ctx, error, 'invalid_client_metadata')
  }
}

/** Tells a client that read no metadata, and so guessed the path, where to look. Its person sees these words. */
export function refuseOldPath(ctx: ApiContext, baseUrl: string): void {
  ctx.status = 404
  ctx.body = {
    error: 'invalid_client_metadata',
    error_description: `Programs register at ${baseUrl}/oauth/register, as ${baseUrl}/.well-known/oauth-authorization-server says. A program that cannot sign in by OAuth needs an API key.`,
  }
}

/** Answers a refusal of this service with a code of OAuth. Throws other errors again. */
export function refuse(ctx: ApiContext, error: unknown, code: string): void {
  if (error instanceof ServiceError && error.code !== 'internal') {
    ctx.status = ERROR_STATUS[error.code]
    if (ctx.status === 429 || ctx.status === 503) ctx.set('Retry-After', String(retryAfterOf(error)))
    ctx.body = { error: code, error_description: error.message }
    return
  }
  if (!(error instanceof Error) || !('code' in error) || !/^invalid_\w+$/.test(String(error.code))) throw error
  ctx.status = 400
  ctx.body = { error: error.code, error_description: error.message }
}
