// The view of a site as a draft would change it, on a host with a random name. Anyone who was given the name can see it. It hides
// files that the site has stopped showing.

import type { PastCommits } from '../../indexing/past-commits.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import { isFile } from '../../store/format/file-mode.js'
import type { Preview, Previews } from '../../store/reading/previews.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import { type FindView, type HostedSite, isWithdrawn, type SiteView, type ViewParts } from './site-view.js'

interface PreviewViewParts extends ViewParts {
  past: PastCommits
  previews: Pick<Previews, 'find'>
}

/** Creates the finder of previews. It finds nothing once the preview has expired or its site is deleted. */
export function createPreviewViews(parts: PreviewViewParts): FindView {
  const { sites, store, previews } = parts
  const views = new WeakMap<Preview, { head: Snapshot; view: SiteView }>()

  return (label) => {
    const preview = previews.find(label)
    const site = preview && sites.findBySlug(preview.site.slug)
    if (preview === undefined || site?.id !== preview.site.id) return undefined
    const head = store.snapshot(site)
    const known = views.get(preview)
    if (known?.head === head) return known.view
    const view = makeView(site, preview, head, parts)
    views.set(preview, { head, view })
    return view
  }
}

/**
 * The host name is the secret of a preview, but browsers reveal host names: in `Origin` for fonts and module scripts, and in
 * `Referer` if a page asks for that. A document with an opaque origin sends neither, whatever it contains (HTML §7.6, Referrer
 * Policy §8.3). Its own files are then cross-origin for it, so every origin may read them.
 */
const NAMELESS = {
  'content-security-policy': 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts',
  'access-control-allow-origin': '*',
  'referrer-policy': 'no-referrer',
}

function makeView(site: HostedSite, { base, snapshot }: Preview, head: Snapshot, parts: PreviewViewParts): SiteView {
  const isDrafted = (treePath: string) => base.entry(treePath)?.oid !== snapshot.entry(treePath)?.oid
  return {
    site,
    snapshot,
    origin: siteUrlOf(parts.address, site.slug),
    fields: {
      ...NAMELESS,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    },
    isGone: (treePath) =>
      isWithdrawn(parts, site.id, snapshot.entry(treePath)) ||
      (!isDrafted(treePath) &&
        (!isFile(head.entry(treePath)?.mode) || parts.past.isRemovedAfter(head, base.commit, treePath))),
  }
}
