// Names the collections that a push removes while their records stay, where no list has them.

import { findEntry, MODE_TREE, parseTree } from '../../../git/objects/tree.js'
import type { Oid } from '../../../git/objects/oid.js'
import type { ObjectReader } from '../../../git/storage/object-reader.js'
import { isFile } from '../../format/file-mode.js'
import { COLLECTION_DIR, parseMetadataPath } from '../../format/site-format.js'
import { pushWarning } from './push-warning.js'

/** More lines would hide what else is said. */
const MAX_LINES = 10

/** Compares the tree that main has with the one that it will have. */
export function warnOfLostCollections(objects: ObjectReader, was: Oid | undefined, is: Oid): string[] {
  const [before, after] = [was, is].map((root) => folderIn(objects, root, COLLECTION_DIR))
  if (before === undefined || after === undefined || before === after) return []
  const lines: string[] = []
  for (const { name, mode } of parseTree(objects.readTree(before)).entries) {
    const file = parseMetadataPath(`${COLLECTION_DIR}/${name}`)
    if (file?.kind !== 'collection' || !isFile(mode)) continue
    if (isFile(findEntry(objects.readTree(after), name)?.mode)) continue
    const count = countRecords(objects, after, file.collectionId)
    if (count === 0) continue
    const records = count === 1 ? '1 record is' : `${count} records are`
    lines.push(
      pushWarning(`${COLLECTION_DIR}/${name} is gone, and ${records} in no list: bring it back, or remove them too`),
    )
    if (lines.length === MAX_LINES) break
  }
  return lines
}

function countRecords(objects: ObjectReader, collections: Oid, collectionId: string): number {
  const folder = folderIn(objects, collections, collectionId)
  if (folder === undefined) return 0
  const { entries } = parseTree(objects.readTree(folder))
  return entries.filter(({ name }) => parseMetadataPath(`${COLLECTION_DIR}/${collectionId}/${name}`) !== undefined)
    .length
}

function folderIn(objects: ObjectReader, tree: Oid | undefined, name: string): Oid | undefined {
  const entry = tree === undefined ? undefined : findEntry(objects.readTree(tree), name)
  return entry?.mode === MODE_TREE ? entry.oid : undefined
}
