// Finds broken links of style sheets and drawings. No index has their links: the files are read each time, within bounds.

import type { TreeChange } from '../../git/objects/diff.js'
import { MODE_TREE } from '../../git/objects/tree.js'
import { joinTreePath } from '../../git/objects/tree-entry-name.js'
import { placeOfFile, placeOfUrl } from '../../model/paths/link-place.js'
import { cutToBytes } from '../../model/text-parts.js'
import { isFile } from '../../repository/format/file-mode.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import { startCpuBound } from '../../threads/cpu-bound.js'
import { type BrokenLinks, brokenLink, MAX_LINK_WARNINGS, MAX_TARGET_BYTES, targetsOf } from './broken-links.js'
import type { Folder } from './check-names.js'
import { isLinkingFile, readLinks } from './document-links.js'
import type { Finding } from './finding.js'

/** CPU time after which the search stops: some 100,000 files, or 20 MiB of style sheets. */
const MAX_SEARCH_MS = 500

/** Warns of unchanged files that link to a file which the change removes. Links to pages are those of pages, by far. */
export function findFilesAtStake(after: Snapshot, changes: readonly TreeChange[]): BrokenLinks {
  const removed = changes.filter((change) => change.after === undefined && !change.path.endsWith('.html'))
  const places = new Set(removed.flatMap(({ path }) => placeOfFile(path) ?? []))
  const warnings: BrokenLinks['warnings'] = []
  if (places.size === 0) return { warnings, isComplete: true }
  const changed = new Set(changes.map(({ path }) => path))
  const leads = targetsOf(after)
  const isOver = startCpuBound(MAX_SEARCH_MS)
  let isComplete = true
  for (const file of linkingFilesIn(after)) {
    if (isOver() || warnings.length >= MAX_LINK_WARNINGS) return { warnings, isComplete: false }
    if (file === undefined || changed.has(file.treePath)) continue
    const { path, links } = readLinks(after, file.treePath, file.oid) ?? {}
    isComplete &&= links?.isComplete === true
    const isLost = (target: string) => places.has(placeOfUrl(target) ?? '') && !leads(target)
    const lost = [...(links?.paths.keys() ?? [])].find(isLost)
    if (path !== undefined && lost !== undefined) warnings.push(brokenLink(path, lost))
  }
  return { warnings, isComplete }
}

/** Yields undefined for an entry that is no such file, so that a long search can stop. */
function* linkingFilesIn(snapshot: Snapshot, folder = ''): Generator<{ treePath: string; oid: string } | undefined> {
  for (const { mode, name, oid } of snapshot.list(folder)) {
    const treePath = joinTreePath(folder, name)
    if (mode === MODE_TREE && !name.startsWith('.')) yield* linkingFilesIn(snapshot, treePath)
    yield isFile(mode) && isLinkingFile(treePath) ? { treePath, oid } : undefined
  }
}

/** Returns the check of a folder for broken links of its style sheets and drawings. */
export function fileLinksCheck(snapshot: Snapshot): (folder: Folder) => Generator<Finding | undefined> {
  const leads = targetsOf(snapshot)
  return function* check(folder) {
    for (const { mode, name, oid } of folder.entries) {
      const path = joinTreePath(folder.path, name)
      if (!isFile(mode) || !isLinkingFile(path)) continue
      for (const target of readLinks(snapshot, path, oid)?.links?.paths.keys() ?? []) {
        const message = `The link to ${cutToBytes(target, MAX_TARGET_BYTES)} leads nowhere.`
        yield leads(target) ? undefined : { code: 'broken_link', path, message }
      }
    }
  }
}
