// Counts the entries below a tree without expanding it: a folder that occurs many times is read once. A tree of a few kilobytes can
// name 10,000,000,000 files.

import type { TreeReader } from '../../git/objects/diff.js'
import type { Oid } from '../../git/objects/oid.js'
import { MODE_TREE, parseTree } from '../../git/objects/tree.js'

interface Folder {
  oid: Oid
  /** Subfolders that are not counted yet. */
  rest: Oid[]
  entries: number
}

/** Whether more than `most` files and folders are below the tree; repeated ones count each time. Reads about `most` entries at most. */
export function hasMoreEntries(trees: TreeReader, root: Oid, most: number): boolean {
  const counted = new Map<Oid, number>()
  const open = [openFolder(trees, root)]
  for (let folder = open.at(-1); folder !== undefined; folder = open.at(-1)) {
    if (folder.entries > most) return true
    const next = folder.rest.at(-1)
    const below = next === undefined ? undefined : counted.get(next)
    if (next === undefined) {
      counted.set(folder.oid, folder.entries)
      open.pop()
    } else if (below === undefined) open.push(openFolder(trees, next))
    else {
      folder.entries += below
      folder.rest.pop()
    }
  }
  return false
}

function openFolder(trees: TreeReader, oid: Oid): Folder {
  const { entries } = parseTree(trees.readTree(oid))
  return {
    oid,
    rest: entries.filter(({ mode }) => mode === MODE_TREE).map((entry) => entry.oid),
    entries: entries.length,
  }
}
