// The unit in which connections are counted: an IPv4 address or a whole IPv6 /64, since a single host commonly has one.

import { isIPv6 } from 'node:net'

const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Returns an IPv4 address as it is, also if it is mapped into IPv6. For any other IPv6 address, returns the first 64 bits. */
export function countedAddressOf(address: string): string {
  if (!isIPv6(address)) return address
  const [, mapped] = IPV4_MAPPED.exec(address) ?? []
  if (mapped !== undefined) return mapped
  const [head = '', tail] = address.split('%', 1)[0]!.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) groups.push(...missingGroups(groups.length, tail), ...tail.split(':').filter(Boolean))
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** Returns the zeros that `::` stands for (RFC 4291 §2.2); a dotted IPv4 tail counts as two groups. */
function missingGroups(before: number, tail: string): string[] {
  const after = tail.split(':').filter(Boolean).length + (tail.includes('.') ? 1 : 0)
  return Array.from({ length: 8 - before - after }, () => '0')
}
