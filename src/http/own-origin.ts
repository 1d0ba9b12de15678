// Whether a browser sent a request from a page of the service itself (Fetch standard, "Origin" field).

import type { IncomingHttpHeaders } from 'node:http'

/**
 * True without an `Origin` field, for the origin of `baseUrl`, and for the origin that the request is sent to. Only names of the
 * base host get this far, so a page that gave its own name this address (DNS rebinding) does not.
 */
export function isOwnOrigin({ origin, host }: IncomingHttpHeaders, baseUrl: string): boolean {
  return origin === undefined || origin === baseUrl || origin === `${new URL(baseUrl).protocol}//${host ?? ''}`
}
