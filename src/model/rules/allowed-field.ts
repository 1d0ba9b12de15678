// The fields that a site may set with `_headers`: a list of known ones, and private `X-` fields. Families that proxies and caches act on
// are left out. Fields of the connection, the representation and the service are not on the list.

import { LineRefused } from './rules-file.js'

const CORS = `access-control-allow-credentials access-control-allow-headers access-control-allow-methods
  access-control-allow-origin access-control-expose-headers access-control-max-age timing-allow-origin`
const CACHING = 'cache-control expires no-vary-search pragma'
const CONTENT =
  'content-disposition content-encoding content-language content-type link refresh sourcemap speculation-rules'
const POLICIES = `content-security-policy content-security-policy-report-only cross-origin-embedder-policy
  cross-origin-embedder-policy-report-only cross-origin-opener-policy cross-origin-opener-policy-report-only
  cross-origin-resource-policy document-policy document-isolation-policy feature-policy integrity-policy
  integrity-policy-report-only permissions-policy permissions-policy-report-only referrer-policy require-document-policy
  strict-transport-security supports-loading-mode`
const HINTS = `accept-ch critical-ch nel onion-location origin-trial report-to reporting-endpoints server-timing`

/** Allowed fields by lower-case name. */
const ALLOWED = new Set([CORS, CACHING, CONTENT, POLICIES, HINTS].flatMap((names) => names.split(/\s+/)))

const PRIVATE = /^x-[!#$%&'*+.^_`|~0-9a-z-]+$/
/** Fields by which proxies send files, fetch URLs, purge caches or trust an address. Several proxies share each prefix. */
const OF_PROXIES =
  /^x-(?:accel|akamai|amz|ats|azure|ban|bunny|cache|caddy|cdn|cf|edge|envoy|esi|fastly|forwarded|goog|h2o|haproxy|host|http|key|kong|lighttpd|litespeed|lsadc|lscache|lsws|middleware|ms|nf|nginx|original|pagespeed|proxy|purge|real|reproxy|rewrite|sendfile|served|squid|surrogate|tag|timer|traefik|url|varnish|vercel|xkey)(?:-|$)/
const OF_SERVICE = /^x-(?:content-type-options|git-commit|request-id|palimpsest-.*)$/

const MAX_AGE = /^max-age\s*=\s*(?:\d+|"\d+")$/i

/** Checks the name of a field, in lower case. Throws LineRefused. */
export function assertAllowedField(name: string): void {
  const isPrivate = PRIVATE.test(name) && !OF_PROXIES.test(name) && !OF_SERVICE.test(name)
  if (!ALLOWED.has(name) && !isPrivate) {
    throw new LineRefused(`The field ${name} cannot be set by a site: leave it out (docs/hosting.md has the list).`)
  }
}

/**
 * Returns the directive of Strict-Transport-Security that binds the site's own host: the others reach beyond it, to subdomains and preload
 * lists (RFC 6797 §6.1). Throws LineRefused.
 */
export function strictTransportOf(value: string): string {
  const directives = value.split(';').map((directive) => directive.trim())
  const [maxAge, second] = directives.filter((directive) => /^max-age\b/i.test(directive))
  if (maxAge === undefined || second !== undefined || !MAX_AGE.test(maxAge))
    throw new LineRefused('Strict-Transport-Security needs one "max-age=<seconds>".')
  return maxAge
}

/** Returns the coding in lower case. Throws LineRefused for any but those that the service itself uses. */
export function contentCodingOf(value: string): string {
  const coding = value.toLowerCase()
  if (coding !== 'br' && coding !== 'gzip')
    throw new LineRefused('Content-Encoding is br or gzip, for files whose name ends in .br, .gz or .unityweb.')
  return coding
}
