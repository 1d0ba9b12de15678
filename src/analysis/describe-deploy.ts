// What the commit of a deploy changed, for its answer.

import type { TreeChange } from '../git/objects/diff.js'
import { isContentPath } from '../model/paths/file-path.js'
import type { Snapshot } from '../store/reading/snapshot.js'

/** An answer lists so many. */
const MAX_FILES = 1_000

export interface DeployChanges {
  /** False where nothing differs, also of what the service keeps beside pages and files. */
  changed: boolean
  created: number
  replaced: number
  removed: number
  /** The first of them. */
  files: TreeChange[]
}

/** Of pages and files: those that the deploy names, and others that it removed. */
export function describeDeploy(before: Snapshot, after: Snapshot, named: readonly string[]): DeployChanges {
  const changes = after.changesSince(before)
  const names = new Set(named)
  const files = changes.filter(({ path }) => names.has(path) || isContentPath(path))
  const created = files.filter((change) => change.before === undefined).length
  const removed = files.filter((change) => change.after === undefined).length
  const replaced = files.length - created - removed
  return { changed: changes.length > 0, created, replaced, removed, files: files.slice(0, MAX_FILES) }
}
