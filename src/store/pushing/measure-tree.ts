// Counts what is below a tree; a repeated object counts each time. A tree of a few kilobytes can name 10,000,000,000 files.

import { LRUCache } from 'lru-cache'
import type { TreeReader } from '../../git/objects/diff.js'
import type { Oid } from '../../git/objects/oid.js'
import { spanAt } from '../../git/objects/tree-span.js'

/** Sizes of the output of `git ls-tree -r -t`, a path on each line. */
export interface TreeSize {
  entries: number
  nameBytes: number
  depth: number
}

const NOTHING: TreeSize = { entries: 0, nameBytes: 0, depth: 0 }
const TOO_MUCH: TreeSize = { entries: Infinity, nameBytes: Infinity, depth: Infinity }
/** First bytes of the modes that git writes. */
const FOLDER = 0x34
const FILE = 0x31
const OID_BYTES = 20

/** Folders of any site that were measured before are not read again: a push changes few of them. */
const measured = new LRUCache<Oid, TreeSize>({ max: 50_000 })

/** Measures a tree. Returns infinite sizes past these entries or levels, and for a mode that git does not write like this. */
export function measureTree(trees: TreeReader, tree: Oid, maxEntries: number, maxDepth: number): TreeSize {
  const known = measured.get(tree)
  if (known !== undefined) return known
  if (maxDepth < 0) return TOO_MUCH
  const size = { ...NOTHING }
  const bytes = trees.readTree(tree)
  for (let span = spanAt(bytes, 0); span !== undefined; span = spanAt(bytes, span.end)) {
    const isFolder = bytes[span.start] === FOLDER
    if (size.entries > maxEntries || !(isFolder || bytes[span.start] === FILE)) return TOO_MUCH
    const oid = bytes.toString('hex', span.nameEnd + 1, span.nameEnd + 1 + OID_BYTES)
    const below = isFolder ? measureTree(trees, oid, maxEntries, maxDepth - 1) : NOTHING
    size.entries += 1 + below.entries
    size.nameBytes += below.nameBytes + (1 + below.entries) * (span.nameEnd - span.nameStart + 1)
    size.depth = Math.max(size.depth, below.depth + 1)
  }
  measured.set(tree, size)
  return size
}
