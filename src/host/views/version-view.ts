// A site at an earlier commit, on a host of its own (a memento, RFC 7089). Everybody may see it where the site's history is
// public; elsewhere only the holder of a signed link. Neither shows a file that a later commit removed.

import { LRUCache } from 'lru-cache'
import { toHttpDate } from '../../http/http-date.js'
import type { PastCommits } from '../../indexing/past-commits.js'
import { isSigned, parseVersionLabel, readLink } from '../../model/hosts/version-label.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import { type FindView, type HostedSite, linkToOriginal, type SiteView, type ViewParts } from './site-view.js'

/** Views are small; their files are in the cache of files. */
const MAX_VIEWS = 1024

export interface VersionViewParts extends ViewParts {
  past: PastCommits
  /** Signs links. */
  linkSecret: Uint8Array
  clock: () => Date
}

/** What a label claims to show. */
interface Claim {
  site: HostedSite
  /** An oid, or its first digits. */
  commit: string
  signed: boolean
}

export function createVersionViews(parts: VersionViewParts): FindView {
  const { address, store, past } = parts
  const cached = new LRUCache<string, { head: Snapshot; view: SiteView }>({ max: MAX_VIEWS })

  function makeView({ site, commit, signed }: Claim, head: Snapshot): SiteView | undefined {
    const oid = past.find(head, commit)
    const snapshot = oid === undefined ? undefined : head.commitAt(oid)
    if (snapshot === undefined) return undefined
    const relation = signed ? 'original' : 'original timegate'
    return {
      site,
      snapshot,
      fields: {
        'cache-tag': `site-${site.id}`,
        'x-robots-tag': 'noindex',
        'memento-datetime': toHttpDate(snapshot.time),
        // The host name of a signed link is its secret: other sites must not read it.
        ...(signed ? { 'referrer-policy': 'same-origin' } : { 'x-git-commit': snapshot.commit }),
      },
      links: (target) => linkToOriginal(address, site.slug, target, relation),
      isGone: (treePath) => past.isRemovedAfter(head, snapshot.commit, treePath),
    }
  }

  return (label) => {
    const claim = claimOf(label, parts)
    if (claim === undefined) return undefined
    const head = store.snapshot(claim.site)
    const known = cached.get(label)
    if (known?.head === head) return known.view
    const view = makeView(claim, head)
    if (view !== undefined) cached.set(label, { head, view })
    return view
  }
}

function claimOf(label: string, { sites, linkSecret, clock }: VersionViewParts): Claim | undefined {
  const version = parseVersionLabel(label)
  if (version !== undefined) {
    const site = sites.findBySlug(version.slug)
    return site?.publicHistory === true ? { site, commit: version.commit, signed: false } : undefined
  }
  const link = readLink(label)
  if (link === undefined || link.expiresAt * 1000 <= clock().getTime()) return undefined
  const site = sites.findByIdPrefix(link.siteId).find(({ id }) => isSigned(linkSecret, label, id))
  return site && { site, commit: link.commit, signed: true }
}
