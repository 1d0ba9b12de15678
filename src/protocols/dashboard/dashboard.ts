// Serves the dashboard: static files made by the build, and one document for every address of the dashboard. The data comes from the API,
// so this code knows no session.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import sirv from 'sirv'
import { BUILT_FILES } from '../../threads/built-files.js'

const FOLDER = fileURLToPath(BUILT_FILES.dashboard)

const NOT_BUILT = 'The dashboard is not built: npm run build. The API reference is at /docs.\n'
/** A page that was opened before an update still asks for the old files. */
const NO_ASSET = 'The dashboard has no such file: reload the page.\n'

/** Path of the files with a hash of their content in their names. */
const ASSETS = '/assets/'

const ICON = '/icon.svg'
/** Browsers ask for it at addresses whose page names no icon, such as an answer of the API. */
const OLD_ICON = '/favicon.ico'

/** The paths of the dashboard at the base host; all others belong to the API. */
const DASHBOARD_PATHS =
  /^\/(?:$|[?]|(?:sign-in|join|reviews?|sites|keys|members|audit|agents|consent|profile)(?:[/?]|$)|assets\/|icon\.svg$|favicon\.ico$)/

export function isOfDashboard(url: string): boolean {
  return DASHBOARD_PATHS.test(url)
}

/** Also told to programs that have the address of the service in place of that of its tools. */
const ONLY_READ =
  'Pages of the dashboard can only be read. The tools for agents are at /mcp, and the API is at /api/v1.\n'

export interface DashboardParts {
  /** The host and port that hosted sites are subdomains of: their pages may be shown in frames. */
  siteDomain: string
  /** Whether BASE_URL is https. */
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
      response.setHeader('Cache-Control', cachingOf(path))
    },
  })
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD', 'content-type': 'text/plain; charset=utf-8' }).end(ONLY_READ)
      return
    }
    if (request.url === OLD_ICON) request.url = ICON
    serve(request, response, () => {
      const isAsset = request.url?.startsWith(ASSETS) === true
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(isAsset ? NO_ASSET : NOT_BUILT)
    })
  }
}

function cachingOf(path: string): string {
  if (path.startsWith(ASSETS)) return 'public, max-age=31536000, immutable'
  return path === ICON ? 'public, max-age=86400' : 'no-cache'
}

/**
 * Returns the header fields that protect the dashboard. They allow only its own scripts and styles; constructed style sheets, which the
 * editor uses, need no exception. They forbid frames around it, and references between its window and those of other origins
 * (Cross-Origin-Opener-Policy).
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
