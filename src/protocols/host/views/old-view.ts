// The view of a site's pages and files as this machine last knew them, for when it cannot learn of later changes.

import type { SiteRef } from '../../../repository/protocol/write.js'
import type { FindView, SiteView } from './site-view.js'

/** Whether this machine's copy of the site may be shown although it may be stale. */
export type MayBeOld = (site: SiteRef) => boolean

/** Possibly stale answers are not cached. */
const NOT_KEPT = { 'cache-control': 'no-store' }

/** Creates views without the site's search, sitemap and past. */
export function createOldViews(findHead: FindView, mayServeStale: MayBeOld): FindView {
  const views = new WeakMap<SiteView, SiteView>()
  return (label) => {
    const head = findHead(label)
    if (head === undefined || !mayServeStale(head.site)) return undefined
    const known = views.get(head)
    if (known !== undefined) return known
    const { site, commit, origin, fields } = head
    const toRead = { site, origin, head: commit }
    const view = { site, commit, toRead, origin, fields: { ...fields, ...NOT_KEPT } }
    views.set(head, view)
    return view
  }
}
