// Finds the records that a revert would leave without their collection, where no list and no call of the API reaches them.

import { MODE_TREE, parseTree } from '../../git/objects/tree.js'
import { isFile } from '../format/file-mode.js'
import { COLLECTION_DIR, collectionPathOf, parseMetadataPath } from '../format/site-format.js'
import type { WorkingTree } from './working-tree.js'

/** More are not named. */
const MAX_NAMED = 50

/** A staged file; null for a removed one. */
interface Edit {
  path: string
  after: object | null
}

export interface Orphan {
  conflict: { path: string; reason: 'in_the_way' | 'missing'; hunks: string }
  /** The path whose edit makes the record an orphan. */
  cause: string
}

/** `tree` has the edits staged. A record that had no collection before is left alone. */
export function findOrphans(tree: WorkingTree, edits: readonly Edit[]): Orphan[] {
  const orphans: Orphan[] = []
  for (const orphan of eachOrphan(tree, edits)) if (orphans.push(orphan) === MAX_NAMED) break
  return orphans
}

function* eachOrphan(tree: WorkingTree, edits: readonly Edit[]): Generator<Orphan> {
  for (const { path, after } of edits) {
    const file = parseMetadataPath(path)
    if (file?.kind === 'collection' && after === null) {
      for (const record of recordsBefore(tree, file.collectionId))
        if (isFile(tree.entry(record)?.mode)) yield staysBehind(record, path)
    } else if (file?.kind === 'record' && after !== null && tree.flushedEntry(path) === undefined) {
      if (!isFile(tree.entry(collectionPathOf(file.collectionId))?.mode)) yield comesAlone(path)
    }
  }
}

/** Yields the records that the collection had before the edits. */
function* recordsBefore(tree: WorkingTree, collectionId: string): Generator<string> {
  const folder = `${COLLECTION_DIR}/${collectionId}`
  const entry = tree.flushedEntry(folder)
  if (entry?.mode !== MODE_TREE) return
  for (const { name } of parseTree(tree.readTree(entry.oid)).entries) {
    const path = `${folder}/${name}`
    if (parseMetadataPath(path)?.kind === 'record') yield path
  }
}

function staysBehind(path: string, cause: string): Orphan {
  const hunks = 'This record would lose its collection. Delete it, or undo the commits that made it too.'
  return { conflict: { path, reason: 'in_the_way', hunks }, cause }
}

function comesAlone(path: string): Orphan {
  const hunks = "This record's collection was removed since. Bring the collection back first."
  return { conflict: { path, reason: 'missing', hunks }, cause: path }
}
