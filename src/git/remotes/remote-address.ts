// Decides which addresses a remote may have: those of the public internet, and those that the operator allows. A name is resolved only
// once, and the connection uses the result. So a name whose address changes right after the check gains nothing.

import { lookup } from 'node:dns/promises'
import { isIP, isIPv4 } from 'node:net'
import { inNetworks, isNetwork } from '../../model/hosts/networks.js'
import { RemoteFailed } from './remote-failed.js'

export interface FoundAddress {
  address: string
  family: number
}

/** Resolves a name to all its addresses, as the machine does. */
export type Resolve = (hostname: string) => Promise<FoundAddress[]>

/** From the IANA IPv4 Special-Purpose Address Registry; also 6to4 relays, multicast and reserved addresses. */
const isSpecialIPv4 = inNetworks(
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
   192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`.split(/\s+/),
)
/** Global unicast (RFC 4291 §2.4): no loopback, link-local, unique local or multicast address, and no IPv4 as `::ffff:` or NAT64. */
const isGlobalUnicast = inNetworks(['2000::/3'])
/** Teredo and other protocols, examples, 6to4. */
const isSpecialIPv6 = inNetworks(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** Whether an address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !isSpecialIPv4(address)
  return isIP(address) === 6 && isGlobalUnicast(address) && !isSpecialIPv6(address)
}

/** The hosts and networks of `REMOTE_ALLOW_PRIVATE`; http is allowed for them too. */
export class PrivateRemotes {
  readonly #hosts: ReadonlySet<string>
  readonly #isInNetwork: (address: string) => boolean

  /** `exceptions`: host names in lower case, addresses, and networks such as `10.0.0.0/8`. */
  constructor(exceptions: readonly string[]) {
    this.#hosts = new Set(exceptions.filter((item) => !isNetwork(item)))
    this.#isInNetwork = inNetworks(exceptions.filter(isNetwork))
  }

  allows(hostname: string, address: string): boolean {
    return this.#hosts.has(hostname) || this.#isInNetwork(address)
  }
}

/**
 * Returns the addresses of the URL's host; connections to all of them are allowed. Throws RemoteFailed otherwise. The message is the same
 * for an unknown and a private name, so that it reveals no names of a private network.
 */
export async function findAddresses(
  url: URL,
  exceptions: PrivateRemotes,
  resolve: Resolve = resolveAll,
): Promise<FoundAddress[]> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(hostname)
  const found = family === 0 ? await resolve(hostname).catch(() => []) : [{ address: hostname, family }]
  const isExcepted = found.length > 0 && found.every(({ address }) => exceptions.allows(hostname, address))
  if (isExcepted) return found
  if (
    found.length === 0 ||
    !found.every(({ address }) => isPublicAddress(address) || exceptions.allows(hostname, address))
  )
    throw new RemoteFailed(
      `${url.hostname} has no public address. An operator can allow a private one: REMOTE_ALLOW_PRIVATE.`,
    )
  if (url.protocol !== 'https:') throw new RemoteFailed('The URL must begin with https://.')
  return found
}

async function resolveAll(hostname: string): Promise<FoundAddress[]> {
  return await lookup(hostname, { all: true })
}
