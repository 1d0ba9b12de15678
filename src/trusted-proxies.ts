// The terminators before the service whose `X-Forwarded-For` is believed: it names the client in the log, and nothing else
// depends on it.

import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Addresses and networks (`10.0.0.0/8`), separated by commas. */
export function parseAddresses(text: string): { addresses: BlockList; problems: string[] } {
  const addresses = new BlockList()
  const problems: string[] = []
  for (const item of text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)) {
    const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(item) ?? []
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    if (bits < 0 || Number(length ?? bits) > bits) {
      problems.push(`TRUSTED_PROXIES has "${item}", which is neither an address nor a network such as 10.0.0.0/8`)
    } else addresses.addSubnet(address, Number(length ?? bits), familyOf(address))
  }
  return { addresses, problems }
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

export function isIn(address: string, addresses: BlockList): boolean {
  return isIP(address) !== 0 && addresses.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
