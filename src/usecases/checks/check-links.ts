// Broken links within a site.

import { joinTreePath } from '../../git/objects/tree-path.js'
import { pagePathOf, urlPathOf } from '../../model/paths/page-path.js'
import { isFile } from '../../store/format/file-mode.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import { linksOf, targetsOf } from './broken-links.js'
import { walkFolders } from './check-names.js'
import type { Finding } from './finding.js'

/** Each broken link, and undefined after each page, so that the caller can pause or stop. */
export function* checkLinks(snapshot: Snapshot): Generator<Finding | undefined> {
  const leads = targetsOf(snapshot)
  const known = new Map<string, boolean>()
  for (const { path: folder, entries } of walkFolders(snapshot)) {
    for (const { name, mode, oid } of entries) {
      const path = joinTreePath(folder, name)
      const page = isFile(mode) ? pagePathOf(path) : undefined
      if (page === undefined) continue
      for (const target of linksOf(snapshot.blob(oid), urlPathOf(page))) {
        const isThere = known.get(target) ?? leads(target)
        known.set(target, isThere)
        if (!isThere) yield { code: 'broken_link', path, message: `The link to ${target} leads nowhere.` }
      }
      yield undefined
    }
  }
}
