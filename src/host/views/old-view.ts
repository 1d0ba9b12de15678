// A site as this node last knew it, for visitors who come while nothing says what has changed since: its pages and files alone.

import type { SiteRef } from '../../store/protocol/write.js'
import type { FindView, SiteView } from './site-view.js'

/** Whether what is here of the site may be shown, although it may be old. */
export type MayBeOld = (site: SiteRef) => boolean

/** Nobody keeps what may be old. */
const NOT_KEPT = { 'cache-control': 'no-store' }

/** The site's search, its sitemap and its past are not shown. */
export function createOldViews(findHead: FindView, mayBeOld: MayBeOld): FindView {
  const views = new WeakMap<SiteView, SiteView>()
  return (label) => {
    const head = findHead(label)
    if (head === undefined || !mayBeOld(head.site)) return undefined
    const { site, snapshot, origin, fields } = head
    const view = views.get(head) ?? { site, snapshot, origin, fields: { ...fields, ...NOT_KEPT } }
    views.set(head, view)
    return view
  }
}
