// The view of a site at an earlier commit, on a host of its own (a memento, RFC 7089). If the site's history is public, everyone may see
// it; otherwise only visitors with a link (link-gate.ts). It never shows a file that a later commit removed, nor a withdrawn version.

import { LRUCache } from 'lru-cache'
import type { Oid } from '../../../git/objects/oid.js'
import { toHttpDate } from '../../http/http-date.js'
import { siteUrlOf } from '../../../model/hosts/site-url.js'
import { parseLinkLabel, parseVersionLabel } from '../../../model/hosts/version-label.js'
import {
  type FindPastView,
  type HostedSite,
  linkToOriginal,
  type SiteView,
  type ViewParts,
  withdrawnOf,
} from './site-view.js'

/** Views are small; their files are in the cache of files. */
const MAX_VIEWS = 1024

/** The commit and site that a label names. */
interface Claim {
  site: HostedSite
  /** An oid, or its first digits. */
  commit: string
  isLink: boolean
}

export function createVersionViews(parts: ViewParts): FindPastView {
  const { address, store, reader } = parts
  const cached = new LRUCache<string, { withdrawals: number; view: SiteView }>({ max: MAX_VIEWS })

  async function findView(label: string, claim: Claim, head: Oid): Promise<SiteView | undefined> {
    const version = await reader.version(claim.site, head, claim.commit)
    if (version === undefined) return undefined
    const view = makeView(claim, head, version)
    cached.set(label, { withdrawals: claim.site.withdrawals, view })
    return view
  }

  function makeView({ site, isLink }: Claim, head: Oid, { commit, time }: { commit: Oid; time: number }): SiteView {
    const { id, slug } = site
    const origin = siteUrlOf(address, slug)
    const relation = isLink ? 'original' : 'original timegate'
    return {
      site: { id, slug },
      commit,
      versionTime: time,
      toRead: { site: { id, slug }, origin, head, version: commit, withdrawn: withdrawnOf(parts, site) },
      origin,
      fields: {
        'cache-tag': `site-${id}`,
        'x-robots-tag': 'noindex',
        'memento-datetime': toHttpDate(time),
        // Only a browser with the link's cookie may keep the answer.
        ...(isLink
          ? { 'cache-control': 'private, no-store', 'referrer-policy': 'same-origin' }
          : { 'x-git-commit': commit }),
      },
      links: (target) => linkToOriginal(address, slug, target, relation),
    }
  }

  return (label) => {
    const claim = claimOf(label, parts)
    if (claim === undefined) return undefined
    const head = store.head(claim.site)
    const known = cached.get(label)
    if (known?.view.toRead.head === head && known.withdrawals === claim.site.withdrawals) return known.view
    return findView(label, claim, head)
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
  if (link === undefined || link.request !== undefined) return undefined
  return site && { site, commit: link.commit, isLink: true }
}
