// The address of the service: its base URL and the domain of its sites, which must not share cookies.

import { isIP } from 'node:net'
import { getDomain } from 'tldts'
import type { Environment } from './schema.js'

/** The address of the service; all URLs in answers are built from it. */
export interface Address {
  /** Without a trailing slash. */
  baseUrl: string
  /** Host name, with a port if one is needed. */
  siteDomain: string
}

/** Whether hosted pages could set cookies for the dashboard, as both are on one registrable domain. */
export function sharesDomain({ baseUrl, siteDomain }: Address): boolean {
  const base = new URL(baseUrl).hostname
  const site = siteDomain.replace(/:\d+$/, '')
  if (isLocal(base) && isLocal(site)) return false
  const [baseDomain, domain] = [base, site].map((name) => getDomain(name, { allowPrivateDomains: true }) ?? name)
  return baseDomain === domain
}

function isLocal(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) !== 0
}

/** Lists problems of BASE_URL and SITE_DOMAIN, one line each. */
export function checkAddress(env: Environment): string[] {
  const problems: string[] = []
  const url = env.BASE_URL === undefined ? undefined : parseUrl(env.BASE_URL)
  if (env.BASE_URL !== undefined && url === undefined) {
    return ['BASE_URL must be an http or https URL without path, query or user, such as https://pages.example']
  }
  if (env.SITE_DOMAIN !== undefined && !/^[a-z0-9.-]+(:\d{1,5})?$/i.test(env.SITE_DOMAIN)) {
    problems.push('SITE_DOMAIN must be a host name with an optional port, such as sites.example')
  }
  const site = env.SITE_DOMAIN ?? url?.host
  if (site !== undefined && isIP(site.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')) !== 0) {
    problems.push('SITE_DOMAIN must be a host name: an IP address has no subdomains')
  }
  const address = { baseUrl: url?.href ?? 'http://localhost', siteDomain: site ?? 'localhost' }
  if (problems.length === 0 && !env.ALLOW_SHARED_DOMAIN && sharesDomain(address)) {
    problems.push(
      'SITE_DOMAIN must be on another registrable domain than BASE_URL, because hosted pages may be hostile; ALLOW_SHARED_DOMAIN=1 starts the service anyway',
    )
  }
  return problems
}

function parseUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const plain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    !url.search &&
    !url.hash &&
    !url.username
  return plain ? url : undefined
}
