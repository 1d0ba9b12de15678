// What differs between two trees. Equal folders are not read.

import type { ObjectDatabase } from './object-database.js'
import type { Oid } from './oid.js'
import { MODE_TREE, parseTree, type TreeEntry } from './tree.js'

export interface TreeChange {
  path: string
  before?: { mode: number; oid: Oid }
  after?: { mode: number; oid: Oid }
}

/** Files (and links) that appeared, changed or went; undefined stands for an empty tree. Folders themselves are not named. */
export function* diffTrees(
  odb: ObjectDatabase,
  before: Oid | undefined,
  after: Oid | undefined,
  folder = '',
): Generator<TreeChange> {
  if (before === after) return
  const old = readEntries(odb, before)
  const now = readEntries(odb, after)
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const a = old.get(name)
    const b = now.get(name)
    if (a?.oid === b?.oid && a?.mode === b?.mode) continue
    const path = folder + name
    yield* diffTrees(odb, treeOf(a), treeOf(b), `${path}/`)
    const from = fileOf(a)
    const to = fileOf(b)
    if (from !== undefined || to !== undefined) yield { path, ...(from && { before: from }), ...(to && { after: to }) }
  }
}

function readEntries(odb: ObjectDatabase, oid: Oid | undefined): Map<string, TreeEntry> {
  return new Map(oid === undefined ? [] : parseTree(odb.readTree(oid)).entries.map((entry) => [entry.name, entry]))
}

function treeOf(entry: TreeEntry | undefined): Oid | undefined {
  return entry?.mode === MODE_TREE ? entry.oid : undefined
}

function fileOf(entry: TreeEntry | undefined): { mode: number; oid: Oid } | undefined {
  return entry === undefined || entry.mode === MODE_TREE ? undefined : { mode: entry.mode, oid: entry.oid }
}
