// Which host a request is for, read strictly from what was sent: a name that could be read in two ways is no name.
// (RFC 9112 §3.2 and §3.3; RFC 9110 §7.2.)

import { isIPv6 } from 'node:net'

/** RFC 1035 labels, and `_` for names of services; 253 bytes in all. A single dot at the end names the same host. */
const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/i

/**
 * The host of a request: lower-case, without port and last dot, an IPv6 address in its brackets. Undefined for none, for
 * several Host fields (even equal ones), for anything malformed, and where an absolute-form target names another authority.
 */
export function parseHost(rawHeaders: readonly string[], target: string): string | undefined {
  const fields = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host')
  const [field] = fields
  if (field === undefined || fields.length > 1) return undefined
  const [, authority] = ABSOLUTE_FORM.exec(target) ?? []
  if (authority !== undefined && authority.toLowerCase() !== field.toLowerCase()) return undefined
  return parseAuthority(field.toLowerCase())
}

/** The target as path and query (`*` for OPTIONS), whatever form it was sent in; undefined for any other. */
export function originForm(target: string): string | undefined {
  const [, , rest] = ABSOLUTE_FORM.exec(target) ?? []
  if (rest === undefined) return target.startsWith('/') || target === '*' ? target : undefined
  return rest.startsWith('/') ? rest : `/${rest}`
}

function parseAuthority(authority: string): string | undefined {
  const [, host, port] = AUTHORITY.exec(authority) ?? []
  if (host === undefined || Number(port ?? 0) > 65_535) return undefined
  if (host.startsWith('[')) return isIPv6(host.slice(1, -1)) ? host : undefined
  const name = host.replace(/\.$/, '')
  return NAME.test(name) ? name : undefined
}
