// Walks along first parents, and looks up entries by path.

import type { Commit } from '../objects/commit.js'
import type { ObjectReader } from '../storage/object-reader.js'
import type { Oid } from '../objects/oid.js'
import { findEntry, MODE_TREE, type TreeEntry } from '../objects/tree.js'

/** Yields the commit and its first parents, newest first. */
export function* firstParents(odb: ObjectReader, from: Oid): Generator<{ oid: Oid; commit: Commit }> {
  let oid: Oid | undefined = from
  while (oid !== undefined) {
    const commit: Commit = odb.readCommit(oid)
    yield { oid, commit }
    oid = commit.parents[0]
  }
}

/** Whether `ancestor` is `tip` or on its first-parent chain; undefined if `limit` commits are not enough to tell. */
export function isFirstParentAncestor(odb: ObjectReader, ancestor: Oid, tip: Oid, limit: number): boolean | undefined {
  let seen = 0
  for (const { oid } of firstParents(odb, tip)) {
    if (oid === ancestor) return true
    if (++seen > limit) return undefined
  }
  return false
}

/** Returns the entry at a path below a tree, of any mode. */
export function entryAt(odb: ObjectReader, tree: Oid, path: string): TreeEntry | undefined {
  const names = path.split('/')
  const last = names.pop()
  let at = tree
  for (const name of names) {
    const entry = findEntry(odb.readTree(at), name)
    if (entry?.mode !== MODE_TREE) return undefined
    at = entry.oid
  }
  return last === undefined ? undefined : findEntry(odb.readTree(at), last)
}
