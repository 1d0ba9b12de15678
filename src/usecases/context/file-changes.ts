// The files of a repository in which two commits differ, as answers list them.

import type { FileChange } from '../../../schemas/common.js'
import type { TreeChange } from '../../git/objects/diff.js'

const MAX_FILES = 1_000

/** The first 1,000. */
export function toFileChanges(changes: readonly TreeChange[]): FileChange[] {
  return changes.slice(0, MAX_FILES).map(({ path, before, after }) => {
    if (before === undefined) return { path, change: 'added' }
    return { path, change: after === undefined ? 'removed' : 'modified' }
  })
}
