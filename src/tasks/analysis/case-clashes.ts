// Finds new files and folders whose names differ only by case from others: some systems can check out only one of them.

import { joinTreePath } from '../../git/objects/tree-entry-name.js'
import { foldCase } from '../../model/paths/page-path.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'

const NONE: ReadonlySet<string> = new Set()

/** Compares the added files and their folders with all others but `ours`. Reports each name once, at the first file in it. */
export function* caseClashesOf(
  after: Snapshot,
  added: Iterable<string>,
  ours: ReadonlySet<string> = NONE,
): Generator<{ path: string; message: string }> {
  const seen = new Set<string>()
  const folders = new Map<string, Map<string, string[]>>()
  for (const path of added) {
    for (const name of prefixesOf(path)) {
      if (seen.has(name)) continue
      seen.add(name)
      const folder = name.slice(0, Math.max(name.lastIndexOf('/'), 0))
      const known = folders.get(folder) ?? namesIn(after, folder)
      folders.set(folder, known)
      const other = known.get(foldCase(name))?.find((like) => like !== name && !ours.has(like))
      if (other === undefined) continue
      const message = `${name} differs from ${other} only by case: both are live, but macOS and Windows check out only one.`
      yield { path, message }
    }
  }
}

/** Yields the path and the folders around it. */
export function* prefixesOf(path: string): Generator<string> {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) yield path.slice(0, end)
}

/** Returns the paths of a folder's entries by their case fold. */
function namesIn(after: Snapshot, folder: string): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const entry of after.eachEntry(folder)) {
    const path = joinTreePath(folder, entry.name)
    const folded = foldCase(path)
    const like = names.get(folded)
    if (like === undefined) names.set(folded, [path])
    else like.push(path)
  }
  return names
}
