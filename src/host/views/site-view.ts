// The view behind a host name: one site at one commit, with the fields of all its answers.

import { type PublicAddress, targetUrlOf } from '../../model/hosts/site-url.js'
import type { SiteRef } from '../../store/protocol/write.js'
import type { SiteReader } from '../../store/reading/site-reader.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import type { SitemapSource } from '../../resolution/generated-file.js'
import type { Sitemaps } from '../sitemap/sitemaps.js'

/** A live site. */
export interface HostedSite extends SiteRef {
  /** Whether everyone may see its past. */
  publicHistory: boolean
  /** Whether its pages are also served as Markdown. */
  markdown: boolean
  /** Whether visitors can search it. */
  search: boolean
  /** Number of withdrawn versions of its pages. When it changes, the views of the site's past change. */
  withdrawals: number
}

/** A link that shows a site at a commit to everyone who knows its secret. */
export interface SiteLink {
  siteId: string
  commit: string
  /** SHA-256 of the secret, hex. */
  hash: string
  expiresAt: string
}

/** A view stays one object as long as nothing in it changes, so that it can be a cache key of answers. */
export interface SiteView {
  site: SiteRef
  snapshot: Snapshot
  /** The origin of the site's own host, also for views on other hosts. Without a trailing slash. */
  origin: string
  /** Fields of every answer, by lower-case name. They override the site's own `_headers`; only `vary` is added to other values. */
  fields: Readonly<Record<string, string>>
  /** Further values of `Link` for a target in origin form. */
  links?: (target: string) => string
  /** Whether a file, by tree path, was removed later or is withdrawn: 410. Undefined on the site's own host. */
  isGone?: (treePath: string) => boolean
  /** The source of sitemap.xml; on the site's own host only. */
  sitemap?: SitemapSource
  /** Whether pages are also served as Markdown; on the site's own host only. */
  markdown?: boolean
  /** Whether visitors can search it; on the site's own host only. */
  search?: boolean
}

/** Finds the view of a label below the site domain; returns undefined if there is none. Throws `site_unreadable` and `site_busy`. */
export type FindView = (label: string) => SiteView | undefined

export interface ViewParts {
  address: PublicAddress
  sites: {
    findBySlug(slug: string): HostedSite | undefined
    /** Live sites whose ids begin with the prefix. */
    findByIdPrefix(prefix: string): HostedSite[]
  }
  /** Versions that only keys may read, by site and oid of their html. */
  withdrawals: { has(siteId: string, blob: string): boolean }
  /** Links that have neither expired nor been ended. */
  links: { find(id: string): SiteLink | undefined }
  store: Pick<SiteReader, 'snapshot'>
  sitemaps: Pick<Sitemaps, 'of'>
}

/** Returns a `Link` value (RFC 8288) that names the target on the site's own host. */
export function linkToOriginal(address: PublicAddress, slug: string, target: string, relation: string): string {
  return `<${targetUrlOf(address, slug, target)}>; rel="${relation}"`
}

/** Whether the bytes of a file are those of a withdrawn version. */
export function isWithdrawn(
  { withdrawals }: Pick<ViewParts, 'withdrawals'>,
  siteId: string,
  entry: { oid: string } | undefined,
): boolean {
  return entry !== undefined && withdrawals.has(siteId, entry.oid)
}
