// The name of a site: one DNS label below the service's domain, never changed and never reused.

import { ServiceError } from '../errors.js'
import { parseLinkLabel } from './version-label.js'

/** 1 to 40 lower-case letters, digits and single hyphens, with no hyphen at either end (no `--`, so no punycode). */
const SLUG = /^(?!.*--)[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

/** Names that visitors, mail servers or browsers take for the service's own. */
const RESERVED = new Set(
  [
    ['www', 'api', 'app', 'admin', 'dashboard', 'console', 'mcp', 'status', 'static', 'assets', 'cdn', 'palimpsest'],
    ['login', 'logout', 'signin', 'signup', 'auth', 'oauth', 'sso', 'account', 'accounts', 'root', 'internal'],
    [
      'mail',
      'webmail',
      'smtp',
      'imap',
      'pop',
      'pop3',
      'mx',
      'postmaster',
      'hostmaster',
      'webmaster',
      'abuse',
      'security',
    ],
    ['mta-sts', 'openpgpkey', 'cpanel', 'secure', 'support', 'billing', 'git'],
    ['localhost', 'local', 'broadcasthost', 'wpad', 'isatap', 'autodiscover', 'autoconfig', 'ftp', 'ssh', 'dns', 'ns'],
  ].flat(),
)

/** Whether `input` has the form of a slug, reserved or not: sites older than a reservation keep their names. */
export function isSlug(input: string): boolean {
  return SLUG.test(input)
}

/** Returns the slug of a new site, exactly as given. Throws `invalid_slug` or `reserved_slug` with what to do instead. */
export function parseSlug(input: string): string {
  if (!isSlug(input)) {
    const rule =
      'A slug has 1 to 40 lower-case letters, digits and single hyphens, and begins and ends with a letter or digit.'
    const near = nearestSlug(input)
    if (near === undefined) throw new ServiceError('invalid_slug', rule)
    throw new ServiceError('invalid_slug', `${rule} "${near}" would do.`, { suggestion: near })
  }
  if (isReserved(input)) {
    throw new ServiceError('reserved_slug', `The slug "${input}" is kept for the service itself: choose another.`)
  }
  return input
}

function isReserved(slug: string): boolean {
  // The host of a link to a site's past would win.
  return RESERVED.has(slug) || /^(?:ns|mx)\d+$/.test(slug) || parseLinkLabel(slug) !== undefined
}

/** Returns the slug that somebody meant who typed a name: `chess-club` for "Chess Club"; undefined if no letter or digit is left. */
export function nearestSlug(name: string): string | undefined {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = letters.split(/[^a-z0-9]+/).filter((word) => word !== '')
  const slug = words.join('-').slice(0, 40).replace(/-$/, '')
  return isSlug(slug) && !isReserved(slug) ? slug : undefined
}
