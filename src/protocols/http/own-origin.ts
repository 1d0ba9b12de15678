// Checks which web page sent a request (Fetch standard, "Origin" field), and whether that page may send it.

import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../../model/errors.js'

/**
 * True without an `Origin` field, for the origin of `baseUrl`, and for the origin that the request is sent to. Only names of the
 * base host reach this check, so a page cannot pass by pointing its own name at this address (DNS rebinding).
 */
export function isOwnOrigin({ origin, host }: IncomingHttpHeaders, baseUrl: string): boolean {
  return origin === undefined || origin === baseUrl || origin === `${new URL(baseUrl).protocol}//${host ?? ''}`
}

/**
 * Refuses a request from a web page unless `allowed` has the page's origin. Throws `origin_not_allowed` before anything is done: a browser
 * hides an answer from the page only after the write has happened.
 */
export function refuseOrigin(headers: IncomingHttpHeaders, baseUrl: string, allowed: readonly string[]): void {
  if (isOwnOrigin(headers, baseUrl) || allowed.includes(headers.origin ?? '')) return
  throw new ServiceError(
    'origin_not_allowed',
    'Web pages of this origin may not use this key. Make a key whose origins name it, or have ALLOWED_ORIGINS name it.',
  )
}
