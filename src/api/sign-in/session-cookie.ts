// The cookie of a session at the dashboard, and who may send requests with it: pages of the service itself, no other site's.

import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../model/errors.js'

/**
 * Over https the `__Host-` prefix binds the cookie to this very host (RFC 6265bis §4.1.3.2). Browsers take it with Secure alone,
 * and Secure over https alone, so a service on http (a loopback name, or behind nothing) has a plain name.
 */
function cookieName(baseUrl: string): string {
  return isSecure(baseUrl) ? '__Host-session' : 'session'
}

/** The session's secret; undefined for no cookie of that name, or several. */
export function sessionOf(request: IncomingMessage, baseUrl: string): string | undefined {
  const mark = `${cookieName(baseUrl)}=`
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(mark))
  return values.length === 1 ? values[0]?.slice(mark.length) : undefined
}

/** The value of `Set-Cookie`. An expiry that is past takes the cookie away. */
export function setSession(baseUrl: string, secret: string, expires: Date): string {
  const secure = isSecure(baseUrl) ? '; Secure' : ''
  return `${cookieName(baseUrl)}=${secret}; Path=/; Expires=${expires.toUTCString()}; HttpOnly; SameSite=Lax${secure}`
}

/**
 * Throws `cross_site_request` for a request that a page of another origin made the browser send: by `Sec-Fetch-Site`, which no
 * page can set (W3C Fetch Metadata), and by `Origin`. Hosted pages may be of the same site, so `same-site` is refused too.
 */
export function refuseCrossSite(request: IncomingMessage, baseUrl: string): void {
  const { origin, 'sec-fetch-site': site, host } = request.headers
  const isOwn = origin === undefined || origin === baseUrl || origin === `${new URL(baseUrl).protocol}//${host ?? ''}`
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isKnown = site === 'same-origin' || site === 'none' || (site === undefined && (isRead || origin !== undefined))
  if (isOwn && isKnown) return
  throw new ServiceError('cross_site_request', "A session's requests are taken from the dashboard's own pages alone.")
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:')
}
