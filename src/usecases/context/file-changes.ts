// The files in which two commits of a repository differ, as answers list them.

import type { FileChange } from '../../../schemas/common.js'
import type { TreeChange } from '../../git/objects/diff.js'

const MAX_FILES = 1_000
const SIDECARS = '.pages/'

/** Returns the first 1,000 changes by tree path; pages' sidecars come last. */
export function toFileChanges(changes: readonly TreeChange[]): FileChange[] {
  const isSidecar = ({ path }: TreeChange) => path.startsWith(SIDECARS)
  const told = [...changes.filter((change) => !isSidecar(change)), ...changes.filter(isSidecar)]
  return told.slice(0, MAX_FILES).map(({ path, before, after }) => {
    if (before === undefined) return { path, change: 'added' }
    return { path, change: after === undefined ? 'removed' : 'modified' }
  })
}
