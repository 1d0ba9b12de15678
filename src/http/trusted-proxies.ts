// The terminators before the service whose `X-Forwarded-For` is believed: it names the client in the log, and nothing else
// depends on it.

import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** An address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/')
  const bits = isIP(address) === 4 ? 32 : 128
  const fits = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits)
  return isIP(address) !== 0 && fits && rest.length === 0
}

/** Of what `isNetwork` lets pass. */
export function networksOf(texts: readonly string[]): BlockList {
  const networks = new BlockList()
  for (const text of texts) {
    const [address = '', length] = text.split('/')
    networks.addSubnet(address, Number(length ?? (isIP(address) === 4 ? 32 : 128)), familyOf(address))
  }
  return networks
}

export function isIn(address: string, networks: BlockList): boolean {
  return isIP(address) !== 0 && networks.check(address, familyOf(address))
}

/**
 * Who sent a request: the peer, or, as far as the peers are trusted, whom the last of them names in `X-Forwarded-For`. Undefined
 * once the connection is gone.
 */
export function clientAddressOf(request: IncomingMessage, trusted: BlockList): string | undefined {
  const field = request.headers['x-forwarded-for']
  const named = (typeof field === 'string' ? field : '').split(',').map((part) => part.trim())
  let client = request.socket.remoteAddress
  while (client !== undefined && isIn(client, trusted)) {
    const before = named.pop()
    // What is no address was not written by a proxy that is to be trusted.
    if (before === undefined || isIP(before) === 0) break
    client = before
  }
  return client
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
