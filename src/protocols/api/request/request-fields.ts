// Header fields that every endpoint reads.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { randomUUID } from 'node:crypto'
import { ServiceError } from '../../../model/errors.js'
import { isUuid } from '../../../model/ids.js'
import type { TargetIds } from '../../../usecases/context/target.js'

/** Returns the client's X-Request-Id if it is a plain token, otherwise a new UUID. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && /^[\w.-]{1,128}$/.test(sent) ? sent : randomUUID()
}

/** Returns the bearer token (RFC 6750 §2.1); undefined without one, for another scheme, and for several Authorization fields. */
export function bearerOf(request: IncomingMessage): string | undefined {
  const fields = request.headersDistinct['authorization'] ?? []
  return fields.length === 1 ? /^Bearer +(\S+) *$/i.exec(fields[0] ?? '')?.[1] : undefined
}

/** The longest query that a refusal repeats. */
const MAX_SENT_CHARACTERS = 500

/** Returns method and URL of a request, as refusals repeat them. */
export function sentAs(
  { method, path }: { method: string; path: string },
  { params, query }: { params: Readonly<Record<string, string>>; query: string },
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const asked = query === '' || query.length > MAX_SENT_CHARACTERS ? '' : `?${query}`
  return `${method.toUpperCase()} /api/v1${filled}${asked}`
}

/**
 * Throws `invalid_header` for a value that is not a UUID. An empty field counts as absent: a variable that is not set sends one. Fields
 * that protect a write (If-Match, Idempotency-Key) are refused if they are empty.
 */
export function targetIdsOf(fields: IncomingHttpHeaders): TargetIds {
  return {
    workspaceId: uuidField(fields, 'x-service-account-id'),
    siteId: uuidField(fields, 'x-service-site-id'),
  }
}

/** Throws `invalid_header` unless the key has 1 to 255 visible ASCII characters. */
export function idempotencyKeyOf(fields: IncomingHttpHeaders): string | undefined {
  const value = fields['idempotency-key']
  if (value === undefined) return undefined
  if (typeof value === 'string' && /^[\u0021-\u007e]{1,255}$/.test(value)) return value
  throw new ServiceError('invalid_header', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
}

function uuidField(fields: IncomingHttpHeaders, name: string): string | undefined {
  const value = fields[name] === '' ? undefined : fields[name]
  if (value === undefined || (typeof value === 'string' && isUuid(value))) return value
  throw new ServiceError('invalid_header', `${name} must be one UUID.`, [{ field: name, message: 'must be a UUID' }])
}
