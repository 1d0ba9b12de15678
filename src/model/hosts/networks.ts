// Addresses and networks, as settings name them: `10.0.0.0/8`, `2001:db8::1`.

import { isIP } from 'node:net'
import proxyAddr from 'proxy-addr'

/** Whether an address is in one of some networks. */
export type IsInNetwork = (address: string) => boolean

/** Whether the text is an address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/')
  const bits = isIP(address) === 4 ? 32 : 128
  const fits = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits)
  return isIP(address) !== 0 && fits && rest.length === 0
}

/** `networks`: texts for which `isNetwork` is true. */
export function inNetworks(networks: readonly string[]): IsInNetwork {
  const contains = proxyAddr.compile([...networks])
  return (address) => contains(address, 0)
}
