// The view of a site at an earlier commit, on a host of its own (a memento, RFC 7089). If the site's history is public, everyone may see
// it; otherwise only visitors with a link (link-gate.ts). It never shows a file that a later commit removed, nor a withdrawn version.

import { LRUCache } from 'lru-cache'
import { toHttpDate } from '../../http/http-date.js'
import type { PastCommits } from '../../indexing/past-commits.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import { parseLinkLabel, parseVersionLabel } from '../../model/hosts/version-label.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import {
  type FindView,
  type HostedSite,
  isWithdrawn,
  linkToOriginal,
  type SiteView,
  type ViewParts,
} from './site-view.js'

/** Views are small; their files are in the cache of files. */
const MAX_VIEWS = 1024

export interface VersionViewParts extends ViewParts {
  past: PastCommits
}

/** The commit and site that a label names. */
interface Claim {
  site: HostedSite
  /** An oid, or its first digits. */
  commit: string
  isLink: boolean
}

export function createVersionViews(parts: VersionViewParts): FindView {
  const { address, store, past } = parts
  const cached = new LRUCache<string, { head: Snapshot; withdrawals: number; view: SiteView }>({ max: MAX_VIEWS })

  function makeView({ site, commit, isLink }: Claim, head: Snapshot): SiteView | undefined {
    const oid = past.find(head, commit)
    const snapshot = oid === undefined ? undefined : head.commitAt(oid)
    if (snapshot === undefined) return undefined
    const relation = isLink ? 'original' : 'original timegate'
    return {
      site,
      snapshot,
      origin: siteUrlOf(address, site.slug),
      fields: {
        'cache-tag': `site-${site.id}`,
        'x-robots-tag': 'noindex',
        'memento-datetime': toHttpDate(snapshot.time),
        // Only a browser with the link's cookie may keep the answer.
        ...(isLink
          ? { 'cache-control': 'private, no-store', 'referrer-policy': 'same-origin' }
          : { 'x-git-commit': snapshot.commit }),
      },
      links: (target) => linkToOriginal(address, site.slug, target, relation),
      isGone: (treePath) =>
        past.isRemovedAfter(head, snapshot.commit, treePath) || isWithdrawn(parts, site.id, snapshot.entry(treePath)),
    }
  }

  return (label) => {
    const claim = claimOf(label, parts)
    if (claim === undefined) return undefined
    const head = store.snapshot(claim.site)
    const known = cached.get(label)
    const { withdrawals } = claim.site
    if (known?.head === head && known.withdrawals === withdrawals) return known.view
    const view = makeView(claim, head)
    if (view !== undefined) cached.set(label, { head, withdrawals, view })
    return view
  }
}

function claimOf(label: string, { sites, links }: ViewParts): Claim | undefined {
  const version = parseVersionLabel(label)
  if (version !== undefined) {
    const site = sites.findBySlug(version.slug)
    return site?.publicHistory === true ? { site, commit: version.commit, isLink: false } : undefined
  }
  const id = parseLinkLabel(label)
  const link = id === undefined ? undefined : links.find(id)
  const site = link && sites.findByIdPrefix(link.siteId)[0]
  return link && site && { site, commit: link.commit, isLink: true }
}
