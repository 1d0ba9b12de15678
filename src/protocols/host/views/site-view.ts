// The view behind a host name: one site at one commit, with the fields of all its answers.

import type { Oid } from '../../../git/objects/oid.js'
import { type PublicAddress, targetUrlOf } from '../../../model/hosts/site-url.js'
import type { SiteRef } from '../../../repository/protocol/write.js'
import type { SiteReader } from '../../../repository/reading/site-reader.js'
import type { HostedReader } from '../reading/hosted-reader.js'
import type { ViewToRead } from '../reading/view-to-read.js'
import type { SitemapSource } from '../sitemap/generated-file.js'
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

/** A link that shows a site at a commit, or a change request, to everyone who knows its secret. */
export interface SiteLink {
  siteId: string
  commit: string
  /** The change request that it shows in place of the commit. */
  request?: string
  /** SHA-256 of the secret, hex. */
  hash: string
  expiresAt: string
}

/** A view stays one object as long as nothing in it changes, so that it can be a cache key of answers. */
export interface SiteView {
  site: SiteRef
  /** The commit that is shown. */
  commit: Oid
  /** Time of the commit in seconds, for a view of an earlier version. */
  versionTime?: number
  /** The part of it that a reader needs. */
  toRead: ViewToRead
  /** The origin of the site's own host, also for views on other hosts. Without a trailing slash. */
  origin: string
  /** Where its people write a first page; on the site's own host only. */
  firstPageUrl?: string
  /** Fields of every answer, by lower-case name. They override the site's own `_headers`; only `vary` is added to other values. */
  fields: Readonly<Record<string, string>>
  /** Whether every page may show it in a frame, also where the site's `_headers` forbids that. */
  isShownInFrames?: boolean
  /** Further values of `Link` for a target in origin form. */
  links?: (target: string) => string
  /** The source of sitemap.xml; on the site's own host only. */
  sitemap?: SitemapSource
  /** Whether pages are also served as Markdown; on the site's own host only. */
  markdown?: boolean
}

/** Finds the view of a label below the site domain; returns undefined if there is none. Throws `site_unreadable` and `site_busy`. */
export type FindView = (label: string) => SiteView | undefined

/** Finds views like FindView. One that is not known yet takes a read. */
export type FindPastView = (label: string) => SiteView | undefined | Promise<SiteView | undefined>

export interface ViewParts {
  address: PublicAddress
  sites: {
    findBySlug(slug: string): HostedSite | undefined
    /** Live sites whose ids begin with the prefix. */
    findByIdPrefix(prefix: string): HostedSite[]
  }
  /** Versions that only keys may read, by oid of their html. */
  withdrawals: { list(siteId: string): readonly Oid[] }
  /** Links that have neither expired nor been ended. */
  links: { find(id: string): SiteLink | undefined }
  store: Pick<SiteReader, 'head'>
  reader: HostedReader
  sitemaps: Pick<Sitemaps, 'of'>
}

/** Returns a `Link` value (RFC 8288) that names the target on the site's own host. */
export function linkToOriginal(address: PublicAddress, slug: string, target: string, relation: string): string {
  return `<${targetUrlOf(address, slug, target)}>; rel="${relation}"`
}

/** Lists the withdrawn versions of a site for the views that show its past. */
export function withdrawnOf({ withdrawals }: Pick<ViewParts, 'withdrawals'>, site: HostedSite): readonly Oid[] {
  return site.withdrawals === 0 ? [] : withdrawals.list(site.id)
}
