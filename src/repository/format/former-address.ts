// The files `.former/<2 hex>/<sha256>.json`: what visitors get at an address where something was published once. Each is named after
// its place, so that two moves never write one file, and a request reads only the one that it needs.

import { createHash } from 'node:crypto'
import { isUuid } from '../../model/ids.js'
import { placeOfUrl } from '../../model/paths/link-place.js'
import { urlPathOf } from '../../model/paths/page-path.js'
import { encodeCanonicalJson, FORMER_DIR, parseJsonObject, parseSidecar, sidecarPathOf } from './site-format.js'

/** The answer at a former address: to where the page is now, to another place, or 410. `from` is the path of the URL. */
export type FormerAddress = { from: string } & ({ page: string } | { to: string } | { gone: true })

/** Where a former address leads in the end: `to` is a path of the site, or a URL elsewhere. */
export type Lead = { to: string } | { gone: true }

/** The most addresses that are passed on the way: chains grow only where files move, or a client names addresses. */
const MAX_HOPS = 32
const MAX_TARGET_CHARACTERS = 8_192

/** Reads the file at a tree path; undefined if there is none, or it is too long to be metadata. */
export type ReadFile = (treePath: string) => Uint8Array | undefined

/** Returns the tree path of a place's file. */
export function formerPathOf(place: string): string {
  const name = createHash('sha256').update(place).digest('hex')
  return `${FORMER_DIR}/${name.slice(0, 2)}/${name}.json`
}

export function encodeFormer(former: FormerAddress): Buffer {
  return encodeCanonicalJson(former)
}

/** Returns what the file at this tree path says; undefined if it is not valid, or is named after another place. */
export function parseFormer(treePath: string, bytes: Uint8Array): FormerAddress | undefined {
  const { from, page, to, gone, ...others } = parseJsonObject(bytes) ?? {}
  if (typeof from !== 'string' || Object.keys(others).length > 0) return undefined
  const place = placeOfUrl(from)
  if (place === undefined || formerPathOf(place) !== treePath) return undefined
  if ([page, to, gone].filter((field) => field !== undefined).length !== 1) return undefined
  if (typeof page === 'string' && isUuid(page) && page === page.toLowerCase()) return { from, page }
  if (typeof to === 'string' && isTarget(to)) return { from, to }
  return gone === true ? { from, gone } : undefined
}

/** Whether a redirect may lead there: to a path of the site, or to a URL of the web. */
export function isTarget(to: string): boolean {
  if (to.length > MAX_TARGET_CHARACTERS || /[^\x21-\x7e]/.test(to)) return false
  return /^\/(?![/\\])/.test(to) || (/^https?:\/\//i.test(to) && URL.canParse(to))
}

export function readFormer(read: ReadFile, place: string): FormerAddress | undefined {
  const treePath = formerPathOf(place)
  const bytes = read(treePath)
  return bytes && parseFormer(treePath, bytes)
}

/**
 * Follows a former address to where it leads now, in one step for the visitor. `isThere` says whether the site answers at a path of its
 * URLs; `inSite` returns the path of a target within the site. Undefined if there is no former address, it forms a loop, or its page is
 * nowhere.
 */
export function followFormer(
  read: ReadFile,
  place: string,
  { isThere, inSite }: { isThere: (pathname: string) => boolean; inSite: (to: string) => string | undefined },
): Lead | undefined {
  let at = readFormer(read, place)
  for (const seen = new Set([place]); at !== undefined && seen.size <= MAX_HOPS; ) {
    if ('gone' in at) return { gone: true }
    const to = 'page' in at ? urlOfPage(read, at.page) : at.to
    if (to === undefined) return undefined
    const pathname = inSite(to)?.replace(/[?#].*$/s, '')
    if (pathname === undefined || isThere(pathname)) return { to }
    const next = placeOfUrl(pathname)
    if (next === undefined || seen.has(next)) return undefined
    seen.add(next)
    const further = readFormer(read, next)
    // A client may name an address that answers only later; a page that is nowhere leads nowhere.
    if (further === undefined) return 'page' in at ? undefined : { to }
    at = further
  }
  return undefined
}

function urlOfPage(read: ReadFile, pageId: string): string | undefined {
  const bytes = read(sidecarPathOf(pageId))
  const sidecar = bytes && parseSidecar(bytes)
  return sidecar && urlPathOf(sidecar.path)
}
