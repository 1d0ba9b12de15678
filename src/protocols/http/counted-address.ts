// The units in which clients are counted: an IPv4 address, or a whole IPv6 network. A single host commonly has a /64, and a single customer
// a /48.

import { isIPv6 } from 'node:net'

const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Returns an IPv4 address as it is, also if it is mapped into IPv6. For any other IPv6 address, returns the first 64 bits. */
export function countedAddressOf(address: string): string {
  return networkIn(address, 64)
}

/** Returns the same with the first 48 bits, for what must stay scarce for a stranger with a whole network. */
export function networkOf(address: string): string {
  return networkIn(address, 48)
}

function networkIn(address: string, bits: 48 | 64): string {
  if (!isIPv6(address)) return address
  const [, mapped] = IPV4_MAPPED.exec(address) ?? []
  if (mapped !== undefined) return mapped
  const [head = '', tail] = address.split('%', 1)[0]!.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) groups.push(...missingGroups(groups.length, tail), ...tail.split(':').filter(Boolean))
  const network = groups.slice(0, bits / 16).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/${bits}`
}

/** Returns the zeros that `::` stands for (RFC 4291 §2.2); a dotted IPv4 tail counts as two groups. */
function missingGroups(before: number, tail: string): string[] {
  const after = tail.split(':').filter(Boolean).length + (tail.includes('.') ? 1 : 0)
  return Array.from({ length: 8 - before - after }, () => '0')
}
