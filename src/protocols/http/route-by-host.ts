// Decides by the host whether a request is for the base host, for a site, or for neither.

import { isIP } from 'node:net'

export type HostRoute = { to: 'base' } | { to: 'site'; label: string } | { to: 'nowhere' }

export interface KnownHosts {
  /** The base host is the host of this URL; its port is ignored. */
  baseUrl: string
  /** The host of a site is one label below it; its port is ignored. */
  siteDomain: string
  /** Further names of the base host. */
  baseHosts: readonly string[]
}

/**
 * Routes hosts as a host parser returns them. A name of the base host is never a site, even below the site domain. Every IP
 * literal and every single-label name is the base host too, so that the service answers at 127.0.0.1 and localhost.
 */
export function routeByHost({ baseUrl, siteDomain, baseHosts }: KnownHosts): (host: string) => HostRoute {
  const base = new Set([new URL(baseUrl).hostname, ...baseHosts].map(withoutPort))
  const suffix = `.${withoutPort(siteDomain)}`
  return (host) => {
    if (base.has(host)) return { to: 'base' }
    const label = host.endsWith(suffix) ? host.slice(0, -suffix.length) : ''
    if (label !== '' && !label.includes('.')) return { to: 'site', label }
    return isAddress(host) || !host.includes('.') ? { to: 'base' } : { to: 'nowhere' }
  }
}

function withoutPort(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}

function isAddress(host: string): boolean {
  return isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0
}
