// What a host name shows: one site at one commit, with the fields that every answer of it gets.

import type { Snapshot } from '../store/snapshot.js'
import type { Store } from '../store/store.js'
import type { SiteRef } from '../store/write.js'
import type { SitemapSource } from './sitemap.js'

/** The same object for as long as nothing of it changes, so that answers can be kept by it. */
export interface SiteView {
  site: SiteRef
  gitdir: string
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

export interface SiteViewParts {
  /** The live site with the slug. */
  findSite: (slug: string) => SiteRef | undefined
  store: Pick<Store, 'snapshot' | 'gitdir'>
  /** What the sitemap of the site at its head is made from. */
  sitemapOf?: (site: SiteRef, head: Snapshot) => SitemapSource
}

/** What a label below the site domain shows; undefined when that is nothing. Throws `site_unreadable`. */
export type FindView = (label: string) => SiteView | undefined

export function createSiteViews({ findSite, store, sitemapOf }: SiteViewParts): FindView {
  const heads = new WeakMap<Snapshot, SiteView>()
  return (label) => {
    const site = findSite(label)
    if (site === undefined) return undefined
    const snapshot = store.snapshot(site)
    const known = heads.get(snapshot)
    if (known !== undefined) return known
    const fields = { 'cache-tag': `site-${site.id}` }
    const sitemap = sitemapOf?.(site, snapshot)
    const view: SiteView = { site, gitdir: store.gitdir(site), snapshot, fields, ...(sitemap && { sitemap }) }
    heads.set(snapshot, view)
    return view
  }
}
