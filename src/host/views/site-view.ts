// What a host name shows: one site at one commit, with the fields that every answer of it gets.

import type { Snapshot } from '../../store/reading/snapshot.js'
import type { SiteReader } from '../../store/reading/site-reader.js'
import type { SiteRef } from '../../store/protocol/write.js'
import type { SitemapSource } from '../resolution/sitemap.js'
import { createVersionViews, type VersionViewParts } from './version-view.js'

/** The same object for as long as nothing of it changes, so that answers can be kept by it. */
export interface SiteView {
  site: SiteRef
  snapshot: Snapshot
  /** Fields of every answer, by lower-case name; they win over what the site says itself. `vary` adds to other values. */
  fields: Readonly<Record<string, string>>
  /** Further values of `Link` for a target in origin form. */
  links?: (target: string) => string
  /** Whether a file is unpublished by now, by tree path: 410. Undefined on the site's own host. */
  isGone?: (treePath: string) => boolean
  /** What sitemap.xml is made from, on the site's own host. */
  sitemap?: SitemapSource
}

/** A live site as hosting knows it. */
export interface HostedSite extends SiteRef {
  /** Whether everybody may see its past. */
  publicHistory: boolean
}

export interface SiteViewParts extends VersionViewParts {
  findSite: (slug: string) => HostedSite | undefined
  store: Pick<SiteReader, 'snapshot'>
  /** What the sitemap of the site at its head is made from. */
  sitemapOf?: (site: SiteRef, head: Snapshot) => SitemapSource
}

/** What a label below the site domain shows; undefined when that is nothing. Throws `site_unreadable` and `site_busy`. */
export type FindView = (label: string) => SiteView | undefined

export function createSiteViews(parts: SiteViewParts): FindView {
  const { findSite, store, linkOriginal, sitemapOf } = parts
  const findVersion = createVersionViews(parts)
  const heads = new WeakMap<Snapshot, SiteView>()
  const publicHeads = new WeakMap<Snapshot, SiteView>()

  function makeView(site: HostedSite, snapshot: Snapshot): SiteView {
    const fields = { 'cache-tag': `site-${site.id}` }
    const sitemap = sitemapOf?.(site, snapshot)
    const view: SiteView = { site, snapshot, fields, ...(sitemap && { sitemap }) }
    if (!site.publicHistory) return view
    return {
      ...view,
      fields: { ...fields, vary: 'Accept-Datetime', 'x-git-commit': snapshot.commit },
      links: (target) => linkOriginal(site.slug, target, 'original timegate'),
    }
  }

  return (label) => {
    const site = findSite(label)
    if (site === undefined) return findVersion(label)
    const snapshot = store.snapshot(site)
    const kept = site.publicHistory ? publicHeads : heads
    const known = kept.get(snapshot)
    if (known !== undefined) return known
    const view = makeView(site, snapshot)
    kept.set(snapshot, view)
    return view
  }
}
