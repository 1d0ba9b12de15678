// What differs between two trees. Equal folders are not read.

import type { Oid } from './oid.js'
import { MODE_TREE, parseTree, type TreeEntry } from './tree.js'
import { differingEntries } from './differing-entries.js'

/** Where trees are read from: a repository, or one with a batch being built on it. */
export interface TreeReader {
  readTree(oid: Oid): Buffer
}

export interface TreeChange {
  path: string
  before?: { mode: number; oid: Oid }
  after?: { mode: number; oid: Oid }
}

/** Files (and links) that appeared, changed or went; undefined stands for an empty tree. Folders themselves are not named. */
export function* diffTrees(
  trees: TreeReader,
  before: Oid | undefined,
  after: Oid | undefined,
  folder = '',
): Generator<TreeChange> {
  if (before === after) return
  const [a, b] = differingEntries(readBytes(trees, before), readBytes(trees, after))
  const old = entriesByName(a)
  const now = entriesByName(b)
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const from = old.get(name)
    const to = now.get(name)
    if (from?.oid === to?.oid && from?.mode === to?.mode) continue
    const path = folder + name
    yield* diffTrees(trees, treeOf(from), treeOf(to), `${path}/`)
    const [fileBefore, fileAfter] = [fileOf(from), fileOf(to)]
    if (fileBefore === undefined && fileAfter === undefined) continue
    yield { path, ...(fileBefore && { before: fileBefore }), ...(fileAfter && { after: fileAfter }) }
  }
}

function readBytes(trees: TreeReader, oid: Oid | undefined): Buffer {
  return oid === undefined ? Buffer.alloc(0) : trees.readTree(oid)
}

function entriesByName(bytes: Buffer): Map<string, TreeEntry> {
  return new Map(parseTree(bytes).entries.map((entry) => [entry.name, entry]))
}

function treeOf(entry: TreeEntry | undefined): Oid | undefined {
  return entry?.mode === MODE_TREE ? entry.oid : undefined
}

function fileOf(entry: TreeEntry | undefined): { mode: number; oid: Oid } | undefined {
  return entry === undefined || entry.mode === MODE_TREE ? undefined : { mode: entry.mode, oid: entry.oid }
}
