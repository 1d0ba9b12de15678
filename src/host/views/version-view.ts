// A site as of an earlier commit, on a host of its own (RFC 7089: a memento). Everybody may see it where the site's history
// is public, elsewhere who has a signed link; what the site does not show today, neither shows.

import { LRUCache } from 'lru-cache'
import { isSigned, parseVersionLabel, readLink } from '../../model/hosts/version-label.js'
import { isFile } from '../../store/format/file-mode.js'
import type { SiteReader } from '../../store/reading/site-reader.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import { toHttpDate } from '../../http/http-date.js'
import type { HostedSite, SiteView } from './site-view.js'

/** Views are small; their files are kept by the cache of files. */
const KEPT_VIEWS = 1024

export interface VersionViewParts {
  findSite: (slug: string) => HostedSite | undefined
  /** Live sites whose ids begin like this. */
  findSitesByIdPrefix: (prefix: string) => HostedSite[]
  store: Pick<SiteReader, 'snapshot'>
  /** The commit of the site's past that begins with these digits; undefined for none and for several. */
  findCommit: (head: Snapshot, prefix: string) => string | undefined
  /** A `Link` value that names the target on the site's own host. */
  linkOriginal: (slug: string, target: string, relation: string) => string
  linkSecret: Uint8Array
  now: () => Date
}

interface Claim {
  site: HostedSite
  commit: string
  signed: boolean
}

interface Kept {
  head: Snapshot
  view: SiteView
}

/** The view that a version's label shows; undefined when there is none, for whatever reason. */
export function createVersionViews(parts: VersionViewParts): (label: string) => SiteView | undefined {
  const { store, findCommit, linkOriginal } = parts
  const kept = new LRUCache<string, Kept>({ max: KEPT_VIEWS })

  function makeView({ site, commit, signed }: Claim, head: Snapshot): SiteView | undefined {
    const oid = findCommit(head, commit)
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
        // The host name of a signed link is its key: other sites must not read it.
        ...(signed ? { 'referrer-policy': 'same-origin' } : { 'x-git-commit': snapshot.commit }),
      },
      links: (target) => linkOriginal(site.slug, target, relation),
      isGone: (treePath) => !isFile(head.entry(treePath)?.mode),
    }
  }

  return (label) => {
    const claim = claimOf(label, parts)
    if (claim === undefined) return undefined
    const head = store.snapshot(claim.site)
    const known = kept.get(label)
    if (known?.head === head) return known.view
    const view = makeView(claim, head)
    if (view !== undefined) kept.set(label, { head, view })
    return view
  }
}

function claimOf(label: string, parts: VersionViewParts): Claim | undefined {
  const version = parseVersionLabel(label)
  if (version !== undefined) {
    const site = parts.findSite(version.slug)
    return site?.publicHistory === true ? { site, commit: version.commit, signed: false } : undefined
  }
  const link = readLink(label)
  if (link === undefined || link.expiresAt * 1000 <= parts.now().getTime()) return undefined
  const site = parts.findSitesByIdPrefix(link.siteId).find(({ id }) => isSigned(parts.linkSecret, label, id))
  return site && { site, commit: link.commit, signed: true }
}
