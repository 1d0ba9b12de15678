// The cookies of the dashboard, above all that of its session. Only pages of the service itself may send requests with it.

import type { IncomingMessage } from 'node:http'
import { isOwnOrigin } from '../../http/own-origin.js'
import { ServiceError } from '../../../model/errors.js'

const SESSION = 'session'

/**
 * Returns the name of a cookie. Over https the `__Host-` prefix binds it to this very host (RFC 6265bis §4.1.3.2). Browsers accept that
 * prefix only with Secure, and Secure only over https, so a service on http uses a plain name.
 */
function cookieName(baseUrl: string, name: string): string {
  return isSecure(baseUrl) ? `__Host-${name}` : name
}

/** Returns the session's secret; undefined without a cookie of that name, and with several. */
export function sessionOf(request: IncomingMessage, baseUrl: string): string | undefined {
  return cookieOf(request, baseUrl, SESSION)
}

/** Returns the value of a cookie; undefined without one of that name, and with several. */
export function cookieOf(request: IncomingMessage, baseUrl: string, name: string): string | undefined {
  const prefix = `${cookieName(baseUrl, name)}=`
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
  return values.length === 1 ? values[0]?.slice(prefix.length) : undefined
}

/** Returns the value of `Set-Cookie` for a session. An expiry in the past removes the cookie. */
export function setSession(baseUrl: string, secret: string, expires: Date): string {
  return setCookie(baseUrl, SESSION, secret, expires)
}

/** Returns the value of `Set-Cookie` for a cookie that scripts and requests of other sites do not get. */
export function setCookie(baseUrl: string, name: string, value: string, expires: Date): string {
  const secure = isSecure(baseUrl) ? '; Secure' : ''
  return `${cookieName(baseUrl, name)}=${value}; Path=/; Expires=${expires.toUTCString()}; HttpOnly; SameSite=Lax${secure}`
}

/**
 * Throws `cross_site_request` for a request that a page of another origin made the browser send. It is recognised by `Sec-Fetch-Site`,
 * which no page can set (W3C Fetch Metadata), and by `Origin`. `same-site` is refused too: hosted pages may share the service's site.
 */
export function refuseCrossSite(request: IncomingMessage, baseUrl: string): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isKnown = site === 'same-origin' || site === 'none' || (site === undefined && (isRead || origin !== undefined))
  if (isOwnOrigin(request.headers, baseUrl) && isKnown) return
  throw new ServiceError('cross_site_request', "A session's requests must come from the dashboard's own pages.")
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:')
}
