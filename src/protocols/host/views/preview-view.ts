// The view of a site as a draft or a change request would change it, on a host with a random name. Anyone who was given the name can see
// it. It hides files that the site has stopped showing.

import type { Oid } from '../../../git/objects/oid.js'
import { siteUrlOf } from '../../../model/hosts/site-url.js'
import type { Preview, Previews } from '../../../repository/reading/previews.js'
import { type FindView, type HostedSite, type SiteView, type ViewParts, withdrawnOf } from './site-view.js'

interface PreviewViewParts extends ViewParts {
  previews: Pick<Previews, 'find'>
}

/** Creates the finder of previews. It finds nothing once the preview has expired, its site is deleted, or its review link has ended. */
export function createPreviewViews(parts: PreviewViewParts): FindView {
  const { links, sites, store, previews } = parts
  const views = new WeakMap<Preview, { withdrawals: number; view: SiteView }>()

  return (label) => {
    const preview = previews.find(label)
    const site = preview && sites.findBySlug(preview.site.slug)
    if (preview === undefined || site?.id !== preview.site.id) return undefined
    if (preview.link !== undefined && links.find(preview.link) === undefined) return undefined
    const { withdrawals } = site
    const head = store.head(site)
    const known = views.get(preview)
    if (known?.view.toRead.head === head && known.withdrawals === withdrawals) return known.view
    const view = makeView(site, preview, head, parts)
    views.set(preview, { withdrawals, view })
    return view
  }
}

/**
 * The host name is the secret of a preview, but browsers reveal host names. `Origin` has it for fonts and module scripts, and
 * `Referer` if a page asks for that. A document with an opaque origin sends neither, whatever it contains (HTML §7.6, Referrer
 * Policy §8.3). Its own files are then cross-origin for it, so every origin may read them.
 */
const NAMELESS = {
  'content-security-policy': 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts',
  'access-control-allow-origin': '*',
  'referrer-policy': 'no-referrer',
}

function makeView(site: HostedSite, preview: Preview, head: Oid, parts: PreviewViewParts): SiteView {
  const { id, slug } = site
  const { base, commit, objects, packs } = preview
  const origin = siteUrlOf(parts.address, slug)
  const draft = { request: preview.site.request, base, commit, objects, packs }
  return {
    site: { id, slug },
    commit,
    toRead: { site: { id, slug }, origin, head, draft, withdrawn: withdrawnOf(parts, site) },
    origin,
    // The dashboard shows it in a frame. The live site keeps its rules.
    isShownInFrames: true,
    fields: {
      ...NAMELESS,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    },
  }
}
