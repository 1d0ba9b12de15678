// Takes back the changes of one commit whose files nobody changed since: each is what it was before the commit. Such a commit
// needs no merge.

import type { TreeChange } from '../../git/objects/diff.js'
import { MODE_TREE } from '../../git/objects/tree.js'
import { parseMetadataPath } from '../format/site-format.js'
import type { WorkingTree } from '../staging/working-tree.js'

/**
 * Stages the changes, which lead from the tree that the commit left back to its parent's. False, and nothing is staged, where git
 * might do otherwise: a file was changed since, or renames could play a part.
 */
export function putBack(tree: WorkingTree, changes: readonly TreeChange[]): boolean {
  // A revert that removes a page keeps its sidecar.
  const files = changes.filter(({ path, after }) => after !== undefined || !isSidecar(path))
  const mayRename = files.some(({ before }) => before === undefined) && files.some(({ after }) => after === undefined)
  if (mayRename || !files.every((change) => isUntouched(tree, change))) return false
  for (const { path, after } of files) {
    if (after === undefined) tree.remove(path)
    else tree.putExisting(path, after.mode, after.oid)
  }
  return true
}

function isUntouched(tree: WorkingTree, { path, before }: TreeChange): boolean {
  const now = tree.entry(path)
  if (before !== undefined) return now?.oid === before.oid && now.mode === before.mode
  return now === undefined && hasFolder(tree, path)
}

/** git follows a folder that was renamed since, and a file may stand in the folder's place. */
function hasFolder(tree: WorkingTree, path: string): boolean {
  const slash = path.lastIndexOf('/')
  return slash < 0 || tree.entry(path.slice(0, slash))?.mode === MODE_TREE
}

function isSidecar(path: string): boolean {
  return parseMetadataPath(path)?.kind === 'sidecar'
}
