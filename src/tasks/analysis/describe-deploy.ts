// Describes the changes of a deploy's commit, for its answer.

import type { TreeChange } from '../../git/objects/diff.js'
import { isContentPath } from '../../model/paths/file-path.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'

/** The most files that an answer lists. */
const MAX_FILES = 1_000

export interface DeployChanges {
  /** False if nothing differs, also in files of the service other than pages and files. */
  changed: boolean
  created: number
  replaced: number
  removed: number
  /** The first changed files. */
  files: TreeChange[]
}

/** Describes the changes of pages and files: those that the deploy names, and others that it removed. */
export function describeDeploy(before: Snapshot, after: Snapshot, named: readonly string[]): DeployChanges {
  const changes = after.changesSince(before)
  const names = new Set(named)
  const files = changes.filter(({ path }) => names.has(path) || isContentPath(path))
  const created = files.filter((change) => change.before === undefined).length
  const removed = files.filter((change) => change.after === undefined).length
  const replaced = files.length - created - removed
  return { changed: changes.length > 0, created, replaced, removed, files: files.slice(0, MAX_FILES) }
}
