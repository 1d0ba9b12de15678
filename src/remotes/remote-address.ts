// Where a remote may be: at addresses of the public internet, and where the operator says so. A name is resolved once, and whoever
// connects uses what was found: a name that leads elsewhere a moment later leads nobody there.

import { lookup } from 'node:dns/promises'
import { isIP, isIPv4 } from 'node:net'
import { isNetwork, trustIn } from '../http/trusted-proxies.js'
import { RemoteFailed } from './remote-failed.js'

export interface FoundAddress {
  address: string
  family: number
}

/** All addresses of a name, as the machine resolves it. */
export type Resolve = (hostname: string) => Promise<FoundAddress[]>

/** Of the IANA IPv4 Special-Purpose Address Registry; 6to4 relays, multicast and reserved addresses. */
const isSpecialIPv4 = trustIn(
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
   192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`.split(/\s+/),
)
/** Global unicast (RFC 4291 §2.4). Outside of it lie loopback, link-local, unique local and multicast addresses, and IPv4 as `::ffff:` and NAT64 write it. */
const isGlobalUnicast = trustIn(['2000::/3'])
/** Teredo and other protocols, examples, 6to4. */
const isSpecialIPv6 = trustIn(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** Whether an address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !isSpecialIPv4(address)
  return isIP(address) === 6 && isGlobalUnicast(address) && !isSpecialIPv6(address)
}

/** The hosts and networks of `REMOTE_ALLOW_PRIVATE`: http may be used there too. */
export class PrivateRemotes {
  readonly #hosts: ReadonlySet<string>
  readonly #isInNetwork: (address: string) => boolean

  /** Host names in lower case, addresses, and networks such as `10.0.0.0/8`. */
  constructor(exceptions: readonly string[]) {
    this.#hosts = new Set(exceptions.filter((item) => !isNetwork(item)))
    this.#isInNetwork = trustIn(exceptions.filter(isNetwork))
  }

  allows(hostname: string, address: string): boolean {
    return this.#hosts.has(hostname) || this.#isInNetwork(address)
  }
}

/**
 * The addresses of the URL's host: all of them may be connected to. Throws RemoteFailed otherwise, with the same sentence whether a
 * name is unknown or private: nobody learns which names a private network has.
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
