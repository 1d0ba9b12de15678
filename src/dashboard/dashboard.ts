// The dashboard's door: static files that the build made, and the one page for every address in it. What it shows comes from
// the API, so nothing here knows a session.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import sirv from 'sirv'

/** The build puts the files beside the compiled code. */
const FOLDER = fileURLToPath(new URL('../../dashboard-ui/', import.meta.url))

const NOT_BUILT = 'The dashboard is not built: npm run build. The API reference is at /docs.\n'

/** Files whose names hold their hash. */
const ASSETS = '/assets/'

/** What the dashboard answers at the base host; everything else there is the API's. */
const ITS_OWN = /^\/(?:$|[?]|(?:sign-in|sites|keys)(?:[/?]|$)|assets\/|icon\.svg$)/

export function isOfDashboard(url: string): boolean {
  return ITS_OWN.test(url)
}

export interface DashboardParts {
  /** Host and port below which the sites are: pages of it may be shown in a frame. */
  siteDomain: string
  /** Whether the service is reached over https. */
  isSecure: boolean
}

export function createDashboard(parts: DashboardParts): (request: IncomingMessage, response: ServerResponse) => void {
  const fields = Object.entries(securityFields(parts))
  const serve = sirv(FOLDER, {
    brotli: true,
    gzip: true,
    single: true,
    etag: true,
    setHeaders(response, path) {
      for (const [name, value] of fields) response.setHeader(name, value)
      response.setHeader('Cache-Control', path.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
      return
    }
    serve(request, response, () => {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(NOT_BUILT)
    })
  }
}

/**
 * Scripts and styles of our own alone; styles that the editor's library sets from a script need no exception. Nobody may frame
 * the dashboard, and no window that it opens or that opened it holds on to it (Cross-Origin-Opener-Policy).
 */
function securityFields({ siteDomain, isSecure }: DashboardParts): Record<string, string> {
  const sites = `${isSecure ? 'https' : 'http'}://*.${siteDomain}`
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src ${sites}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  }
}
