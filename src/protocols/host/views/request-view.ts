// The view of a change request at its head, on the host of a link to it (link-gate.ts). It hides files that the site has stopped showing,
// unless the request changes them. Nothing on it names the request.

import { LRUCache } from 'lru-cache'
import type { Oid } from '../../../git/objects/oid.js'
import { siteUrlOf } from '../../../model/hosts/site-url.js'
import { parseLinkLabel } from '../../../model/hosts/version-label.js'
import type { RequestToRead } from '../reading/view-to-read.js'
import { type FindPastView, type HostedSite, type SiteView, type ViewParts, withdrawnOf } from './site-view.js'

/** Views are small. */
const MAX_VIEWS = 1024

/** Only a browser with the link's cookie may keep the answer. */
const FIELDS = { 'cache-control': 'private, no-store', 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex' }

/** Creates the finder of change requests that links show. A moved head makes another view, so no answer outlives it. */
export function createRequestViews(parts: ViewParts): FindPastView {
  const { links, reader, sites, store } = parts
  const cached = new LRUCache<string, { withdrawals: number; view: SiteView }>({ max: MAX_VIEWS })

  async function findView(site: HostedSite, head: Oid, shown: Omit<RequestToRead, 'base'>, label: string) {
    const base = await reader.baseOf(site, head, { request: shown.id, branch: shown.commit })
    if (base === undefined) return undefined
    const view = makeView(site, head, { ...shown, base })
    cached.set(label, { withdrawals: site.withdrawals, view })
    return view
  }

  function makeView(site: HostedSite, head: Oid, request: RequestToRead): SiteView {
    const { id, slug } = site
    const origin = siteUrlOf(parts.address, slug)
    return {
      site: { id, slug },
      commit: request.commit,
      toRead: { site: { id, slug }, origin, head, request, withdrawn: withdrawnOf(parts, site) },
      origin,
      fields: FIELDS,
    }
  }

  return (label) => {
    const linkId = parseLinkLabel(label)
    const link = linkId === undefined ? undefined : links.find(linkId)
    const site = link && sites.findByIdPrefix(link.siteId)[0]
    if (link?.request === undefined || site === undefined) return undefined
    const head = store.head(site)
    const commit = store.head({ id: site.id, slug: site.slug, request: link.request })
    const known = cached.get(label)
    const { toRead, commit: seen } = known?.view ?? {}
    if (seen === commit && toRead?.head === head && known?.withdrawals === site.withdrawals) return known.view
    return findView(site, head, { id: link.request, commit }, label)
  }
}
