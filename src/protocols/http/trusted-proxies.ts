// Knows the reverse proxies whose `X-Forwarded-For` is trusted. The field names the client for the log and for limits by address.

import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from 'proxy-addr'

/** Whether an address is that of a trusted proxy. */
export type IsTrusted = (address: string) => boolean

/**
 * Returns the sender of a request: the peer, or, if the peers are trusted, the last address in `X-Forwarded-For` that is not a
 * trusted proxy's. Returns undefined once the connection is closed.
 */
export function clientAddressOf(request: IncomingMessage, isTrusted: IsTrusted): string | undefined {
  // A trusted proxy writes only addresses. Anything else in the field, and all before it, is not trusted.
  return proxyAddr.all(request, isTrusted).findLast((address) => isIP(address) !== 0)
}
