// Finds the obstacle to a file in a tree: a folder at its path, or a file in place of one of its folders.

import { MODE_TREE } from '../../git/objects/tree.js'
import type { WorkingTree } from './working-tree.js'

/** Returns the path of the obstacle; undefined if the file can be put, also in place of another file. */
export function findBlocker(tree: WorkingTree, path: string): string | undefined {
  if (tree.entry(path)?.mode === MODE_TREE) return path
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    const folder = path.slice(0, slash)
    const entry = tree.entry(folder)
    if (entry !== undefined) return entry.mode === MODE_TREE ? undefined : folder
  }
  return undefined
}
