// Counts what is below a tree; a repeated object counts each time. A tree of a few kilobytes can name 10,000,000,000 files.

import { LRUCache } from 'lru-cache'
import type { TreeReader } from '../../../git/objects/diff.js'
import type { Oid } from '../../../git/objects/oid.js'
import { refusal } from './push-refused.js'
import { entriesOf } from './tree-entries.js'

/** Sizes of the output of `git ls-tree -r -t`, a path on each line. */
export interface TreeSize {
  entries: number
  pathBytes: number
  /** The longest path, in names. Infinite past `MAX_MEASURED_DEPTH`. */
  depth: number
}

const MAX_ENTRIES = 500_000
const MAX_PATH_BYTES = 64 * 1024 * 1024
const MAX_DEPTH = 512
/** Deeper folders are not read. */
const MAX_MEASURED_DEPTH = 1000
const NOTHING: TreeSize = { entries: 0, pathBytes: 0, depth: 0 }
const TOO_DEEP: TreeSize = { ...NOTHING, depth: Infinity }

/** Folders of any site that were measured before are not read again: a push changes few of them. */
const measured = new LRUCache<Oid, TreeSize>({ max: 50_000 })

/** Throws PushRefused for a tree that is too large for a site. */
export function checkTreeSize(trees: TreeReader, tree: Oid): void {
  const { entries, pathBytes, depth } = measureTree(trees, tree)
  if (entries > MAX_ENTRIES) throw refusal('the site would have more than 500,000 files and folders.')
  if (pathBytes > MAX_PATH_BYTES)
    throw refusal("the paths of the site's files and folders would have more than 64 MiB together. Shorten them.")
  if (depth > MAX_DEPTH) {
    const folders = depth === Infinity ? `more than ${MAX_MEASURED_DEPTH}` : depth
    throw refusal(`a file lies ${folders} folders deep: at most ${MAX_DEPTH} are accepted.`)
  }
}

/** Reads each folder once. */
export function measureTree(trees: TreeReader, tree: Oid, levels = MAX_MEASURED_DEPTH): TreeSize {
  const known = measured.get(tree)
  if (known !== undefined) return known
  if (levels === 0) return TOO_DEEP
  const size = { ...NOTHING }
  for (const { kind, name, oid } of entriesOf(trees.readTree(tree))) {
    const below = kind === 'tree' ? measureTree(trees, oid, levels - 1) : NOTHING
    // Ends the measurement: a folder that is too deep is not remembered.
    if (below.depth === Infinity) return TOO_DEEP
    size.entries += 1 + below.entries
    size.pathBytes += below.pathBytes + (1 + below.entries) * (name.length + 1)
    size.depth = Math.max(size.depth, below.depth + 1)
  }
  measured.set(tree, size)
  return size
}
