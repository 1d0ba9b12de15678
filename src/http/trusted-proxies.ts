// Knows the reverse proxies whose `X-Forwarded-For` is trusted. The field names the client for the log and for limits by address.

import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from 'proxy-addr'

/** Whether an address is that of a trusted proxy. */
export type IsTrusted = (address: string) => boolean

/** Whether the text is an address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/')
  const bits = isIP(address) === 4 ? 32 : 128
  const fits = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits)
  return isIP(address) !== 0 && fits && rest.length === 0
}

/** `networks`: texts for which `isNetwork` is true. */
export function trustIn(networks: readonly string[]): IsTrusted {
  const trusts = proxyAddr.compile([...networks])
  return (address) => trusts(address, 0)
}

/**
 * Returns the sender of a request: the peer, or, if the peers are trusted, the last address in `X-Forwarded-For` that is not a
 * trusted proxy's. Returns undefined once the connection is closed.
 */
export function clientAddressOf(request: IncomingMessage, isTrusted: IsTrusted): string | undefined {
  // A trusted proxy writes only addresses. Anything else in the field, and all before it, is not trusted.
  return proxyAddr.all(request, isTrusted).findLast((address) => isIP(address) !== 0)
}
