// A site as a draft would leave it, on a random host of its own, for whoever was given its name. What the site no longer
// shows, the preview does not show either.

import { isFile } from '../../store/format/file-mode.js'
import type { SiteReader } from '../../store/reading/site-reader.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import type { SiteRef } from '../../store/protocol/write.js'
import type { HostedSite, SiteView } from './site-view.js'

/** A draft over the head that it was built on. */
export interface Draft {
  site: SiteRef
  base: Snapshot
  snapshot: Snapshot
}

export interface PreviewViewParts {
  findPreview: (label: string) => Draft | undefined
  findSite: (slug: string) => HostedSite | undefined
  store: Pick<SiteReader, 'snapshot'>
}

/** The view of a preview's label; undefined once the preview or its site is gone. */
export function createPreviewViews(parts: PreviewViewParts): (label: string) => SiteView | undefined {
  const views = new WeakMap<Draft, { head: Snapshot; view: SiteView }>()

  return (label) => {
    const draft = parts.findPreview(label)
    const site = draft && parts.findSite(draft.site.slug)
    if (draft === undefined || site?.id !== draft.site.id) return undefined
    const head = parts.store.snapshot(site)
    const known = views.get(draft)
    if (known?.head === head) return known.view
    const view = makeView(site, draft, head)
    views.set(draft, { head, view })
    return view
  }
}

function makeView(site: HostedSite, { base, snapshot }: Draft, head: Snapshot): SiteView {
  const isDrafted = (treePath: string) => base.entry(treePath)?.oid !== snapshot.entry(treePath)?.oid
  return {
    site,
    snapshot,
    fields: {
      // Its host name is its key: it is kept by no cache and told to no other site.
      'cache-control': 'private, no-store',
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    },
    isGone: (treePath) => !isDrafted(treePath) && !isFile(head.entry(treePath)?.mode),
  }
}
