// The view of a site at its head, on the host named by its slug.

import type { IndexInUse } from '../../indexing/last-changes.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import { type FindView, type HostedSite, linkToOriginal, type SiteView, type ViewParts } from './site-view.js'

export function createHeadViews(parts: ViewParts & IndexInUse): FindView {
  const { address, sites, store, sitemaps, onBehind } = parts
  /** Views by the site's settings. */
  const heads = new Map<string, WeakMap<Snapshot, SiteView>>()

  function makeView(site: HostedSite, snapshot: Snapshot): SiteView {
    const fields = { 'cache-tag': `site-${site.id}` }
    const origin = siteUrlOf(address, site.slug)
    const sitemap = {
      files: () => sitemaps.of(site, snapshot.commit, origin, () => onBehind(site.id)),
    }
    const { markdown, search } = site
    if (!site.publicHistory) return { site, snapshot, origin, fields, sitemap, markdown, search }
    return {
      site,
      snapshot,
      origin,
      sitemap,
      markdown,
      search,
      fields: { ...fields, vary: 'Accept-Datetime', 'x-git-commit': snapshot.commit },
      links: (target) => linkToOriginal(address, site.slug, target, 'original timegate'),
    }
  }

  return (label) => {
    const site = sites.findBySlug(label)
    if (site === undefined) return undefined
    const snapshot = store.snapshot(site)
    const settings = `${site.publicHistory} ${site.markdown} ${site.search}`
    const views = heads.get(settings) ?? new WeakMap<Snapshot, SiteView>()
    heads.set(settings, views)
    const known = views.get(snapshot)
    if (known !== undefined) return known
    const view = makeView(site, snapshot)
    views.set(snapshot, view)
    return view
  }
}
