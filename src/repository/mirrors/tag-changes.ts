// Plans which tags to create, move or delete so that a remote has the tags of a site. A tag is the site's own if the remote got it from the
// site. All others belong to the remote and stay.

import type { Oid } from '../../git/objects/oid.js'
import type { RefChange } from '../../git/objects/ref-change.js'

/** Tags of a remote or of a site, by full name. */
export type TagOids = ReadonlyMap<string, Oid>

export interface TagPlan {
  changes: RefChange[]
  /** Tags of the site for whose names the remote has other tags of its own. */
  conflicts: string[]
}

export function planTags(site: TagOids, remote: TagOids, fromSite: ReadonlySet<string>): TagPlan {
  const plan: TagPlan = { changes: [], conflicts: [] }
  for (const [ref, after] of site) {
    const before = remote.get(ref) ?? null
    if (before === after) continue
    if (before === null || fromSite.has(tagEntry(ref, before))) plan.changes.push({ ref, before, after })
    else plan.conflicts.push(ref)
  }
  for (const [ref, before] of remote)
    if (!site.has(ref) && fromSite.has(tagEntry(ref, before))) plan.changes.push({ ref, before, after: null })
  return plan
}

/** Formats a tag that a remote has from a site, as the catalog stores it. */
export function tagEntry(ref: string, oid: Oid): string {
  return `${oid} ${ref}`
}

/** Returns the remote's tags that come from the site: tags that both have, and earlier ones that are still there. */
export function tagsFromSite(site: TagOids, remote: TagOids, before: ReadonlySet<string>): Set<string> {
  const isFromSite = (ref: string, oid: Oid) => site.get(ref) === oid || before.has(tagEntry(ref, oid))
  return new Set([...remote].filter(([ref, oid]) => isFromSite(ref, oid)).map(([ref, oid]) => tagEntry(ref, oid)))
}

export function isSameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((entry) => b.has(entry))
}
