// The files in which two commits of a repository differ, as answers list them.

import type { FileChange } from '../../../schemas/common.js'
import type { TreeChange } from '../../git/objects/diff.js'

const MAX_FILES = 1_000
const METADATA = ['.pages/', '.former/']

/** Returns the first 1,000 changes by tree path; pages' sidecars and former addresses come last. */
export function toFileChanges(changes: readonly TreeChange[]): FileChange[] {
  const placed = changes.map((change) => ({ ...change, place: placeInList(change.path) }))
  return placed
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, MAX_FILES)
    .map(toFileChange)
}

export function toFileChange({ path, before, after }: TreeChange): FileChange {
  if (before === undefined) return { path, change: 'added' }
  return { path, change: after === undefined ? 'removed' : 'modified' }
}

/** Returns what lists of changed files are sorted by. */
export function placeInList(path: string): string {
  return `${isContent({ path }) ? 0 : 1} ${path}`
}

/** Whether the file is no page's sidecar and no former address. */
export function isContent({ path }: Pick<TreeChange, 'path'>): boolean {
  return !METADATA.some((folder) => path.startsWith(folder))
}
