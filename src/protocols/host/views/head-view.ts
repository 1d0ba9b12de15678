// The view of a site at its head, on the host named by its slug.

import { LRUCache } from 'lru-cache'
import type { Oid } from '../../../git/objects/oid.js'
import type { IndexInUse } from '../../../indexing/last-changes.js'
import { siteUrlOf } from '../../../model/hosts/site-url.js'
import { type FindView, type HostedSite, linkToOriginal, type SiteView, type ViewParts } from './site-view.js'

/** Views are small. */
const MAX_VIEWS = 4096

export function createHeadViews(parts: ViewParts & IndexInUse): FindView {
  const { address, sites, store, sitemaps, onBehind } = parts
  /** The newest view of each site, by its id. */
  const views = new LRUCache<string, { settings: string; view: SiteView }>({ max: MAX_VIEWS })

  function makeView({ id, slug, publicHistory, markdown, search }: HostedSite, commit: Oid): SiteView {
    const site = { id, slug }
    const fields = { 'cache-tag': `site-${id}` }
    const origin = siteUrlOf(address, slug)
    const view: SiteView = {
      site,
      commit,
      toRead: { site, origin, head: commit, generates: true, markdown, search },
      origin,
      firstPageUrl: `${address.baseUrl}/sites/${slug}/new`,
      fields,
      sitemap: { files: async () => await sitemaps.of(site, commit, origin, () => onBehind(id)) },
      markdown,
    }
    if (!publicHistory) return view
    return {
      ...view,
      fields: { ...fields, vary: 'Accept-Datetime', 'x-git-commit': commit },
      links: (target) => linkToOriginal(address, slug, target, 'original timegate'),
    }
  }

  function findView(label: string): SiteView | undefined {
    const site = sites.findBySlug(label)
    if (site === undefined) return undefined
    const commit = store.head(site)
    const settings = `${site.publicHistory} ${site.markdown} ${site.search}`
    const known = views.get(site.id)
    if (known?.view.commit === commit && known.settings === settings) return known.view
    const view = makeView(site, commit)
    views.set(site.id, { settings, view })
    return view
  }

  return oncePerCallback(findView)
}

/**
 * Returns a function that looks once for all requests of one callback of the event loop. All of them had arrived before that look, so it
 * shows every write that was answered before they began.
 */
function oncePerCallback(find: FindView): FindView {
  const found = new Map<string, SiteView | undefined>()
  return (label) => {
    if (found.has(label)) return found.get(label)
    const view = find(label)
    // Node runs microtasks before it calls this process again.
    if (found.size === 0) queueMicrotask(() => found.clear())
    found.set(label, view)
    return view
  }
}
