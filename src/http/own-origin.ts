// From which page a browser sent a request (Fetch standard, "Origin" field), and whether that page may.

import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../model/errors.js'

/**
 * True without an `Origin` field, for the origin of `baseUrl`, and for the origin that the request is sent to. Only names of the
 * base host get this far, so a page that gave its own name this address (DNS rebinding) does not.
 */
export function isOwnOrigin({ origin, host }: IncomingHttpHeaders, baseUrl: string): boolean {
  return origin === undefined || origin === baseUrl || origin === `${new URL(baseUrl).protocol}//${host ?? ''}`
}

/**
 * A web page uses a key only where `allowed` has its origin. It is refused before anything is done: a browser that hides the answer from
 * the page does so when a write has happened. Throws `origin_not_allowed`.
 */
export function refuseOrigin(headers: IncomingHttpHeaders, baseUrl: string, allowed: readonly string[]): void {
  if (isOwnOrigin(headers, baseUrl) || allowed.includes(headers.origin ?? '')) return
  throw new ServiceError(
    'origin_not_allowed',
    'Web pages of this origin may not use this key. Make a key whose origins name it, or have ALLOWED_ORIGINS name it.',
  )
}
