// Finds the differences between two trees. Equal folders are not read.

import { differingEntries } from './differing-entries.js'
import { RepositoryInvalid } from './errors.js'
import type { Oid } from './oid.js'
import { MODE_TREE, parseTree, type TreeEntry } from './tree.js'

export interface TreeChange {
  path: string
  before?: { mode: number; oid: Oid }
  after?: { mode: number; oid: Oid }
}

/** Reads trees: from a repository, or from one with a batch being built on it. */
export interface TreeReader {
  readTree(oid: Oid): Buffer
}

/** Two versions of one folder to compare; `path` is empty for the root, else it ends in a slash. */
interface Folder {
  path: string
  before: Oid | undefined
  after: Oid | undefined
}

/** Longest path in UTF-16 units. git checks out no longer one (PATH_MAX). */
const MAX_PATH_UNITS = 4096
/**
 * Most files and folders in one difference: as many as a push may remove and add together (see hooks). A tree of a few
 * kilobytes can name 10,000,000,000: the same folder again and again.
 */
const MAX_CHANGES = 1_000_000

/**
 * Yields files and links that were added, changed or removed, in no particular order. `undefined` stands for an empty tree.
 * Folders are not named, and paths too long for a checkout are left out. Throws RepositoryInvalid above
 * 1,000,000 changes.
 */
export function* diffTrees(trees: TreeReader, before: Oid | undefined, after: Oid | undefined): Generator<TreeChange> {
  const folders: Folder[] = [{ path: '', before, after }]
  let seen = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (folder.before === folder.after) continue
    for (const [name, [from, to]] of differencesIn(trees, folder)) {
      if (++seen > MAX_CHANGES) throw new RepositoryInvalid(`a commit changes more than ${MAX_CHANGES} files`)
      const path = folder.path + name
      if (path.length > MAX_PATH_UNITS) continue
      folders.push({ path: `${path}/`, before: treeOf(from), after: treeOf(to) })
      const [fileBefore, fileAfter] = [fileOf(from), fileOf(to)]
      if (fileBefore === undefined && fileAfter === undefined) continue
      yield { path, ...(fileBefore && { before: fileBefore }), ...(fileAfter && { after: fileAfter }) }
    }
  }
}

type Sides = [before: TreeEntry | undefined, after: TreeEntry | undefined]

/** Returns entries by name that differ between the two sides. */
function differencesIn(trees: TreeReader, { before, after }: Folder): Map<string, Sides> {
  const [old, now] = differingEntries(readBytes(trees, before), readBytes(trees, after))
  const differences = new Map<string, Sides>()
  for (const entry of parseTree(old).entries) differences.set(entry.name, [entry, undefined])
  for (const entry of parseTree(now).entries) {
    const [from] = differences.get(entry.name) ?? []
    if (from?.oid === entry.oid && from.mode === entry.mode) differences.delete(entry.name)
    else differences.set(entry.name, [from, entry])
  }
  return differences
}

function readBytes(trees: TreeReader, oid: Oid | undefined): Buffer {
  return oid === undefined ? Buffer.alloc(0) : trees.readTree(oid)
}

function treeOf(entry: TreeEntry | undefined): Oid | undefined {
  return entry?.mode === MODE_TREE ? entry.oid : undefined
}

function fileOf(entry: TreeEntry | undefined): { mode: number; oid: Oid } | undefined {
  return entry === undefined || entry.mode === MODE_TREE ? undefined : { mode: entry.mode, oid: entry.oid }
}
