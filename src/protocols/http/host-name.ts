// Reads the host of a request strictly (RFC 9112 §3.2 and §3.3; RFC 9110 §7.2): an ambiguous name is refused.

import { isIPv6 } from 'node:net'

/** RFC 1035 labels, with `_` for service names; at most 253 bytes. */
const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/
/** The port may be empty (RFC 3986 §3.2.3). */
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{0,5}))?$/
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/i
const MAX_CACHED_FIELDS = 1024

/** `rawHeaders` as Node gives them: names and values in turn. */
type HostParser = (rawHeaders: readonly string[], target: string) => string | undefined

/**
 * Creates a parser of a request's host. It returns the host in lower case, without port and trailing dot, an IPv6 address in brackets.
 * It returns undefined if there is no Host field, several (even equal ones) or a malformed one, and if an absolute-form target names
 * another authority. It caches recent fields.
 */
export function createHostParser(): HostParser {
  const known = new Map<string, string>()
  return (rawHeaders, target) => {
    const field = hostFieldOf(rawHeaders, target)
    if (field === undefined) return undefined
    const found = known.get(field)
    if (found !== undefined) return found
    const host = parseAuthority(field)
    if (known.size >= MAX_CACHED_FIELDS) known.clear()
    if (host !== undefined) known.set(field, host)
    return host
  }
}

/** Returns the value of the only Host field, unless an absolute-form target names another authority. */
function hostFieldOf(rawHeaders: readonly string[], target: string): string | undefined {
  let field: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    if (field !== undefined) return undefined
    field = rawHeaders[at + 1]
  }
  if (target.startsWith('/')) return field
  const [, authority] = ABSOLUTE_FORM.exec(target) ?? []
  return authority === undefined || authority.toLowerCase() === field?.toLowerCase() ? field : undefined
}

/** Returns path and query (`*` for OPTIONS) of a target in origin form or absolute form; undefined for any other form. */
export function originForm(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return target
  const [, , rest] = ABSOLUTE_FORM.exec(target) ?? []
  if (rest === undefined) return undefined
  return rest.startsWith('/') ? rest : `/${rest}`
}

function parseAuthority(authority: string): string | undefined {
  const [, host, port] = AUTHORITY.exec(authority.toLowerCase()) ?? []
  if (host === undefined || Number(port ?? 0) > 65_535) return undefined
  if (host.startsWith('[')) return isIPv6(host.slice(1, -1)) ? host : undefined
  const name = host.replace(/\.$/, '')
  return NAME.test(name) ? name : undefined
}
