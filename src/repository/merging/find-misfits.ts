// Finds merged records that do not fit the schema of their collection.

import type { Oid } from '../../git/objects/oid.js'
import { isFile } from '../format/file-mode.js'
import {
  collectionPathOf,
  MAX_COLLECTION_BYTES,
  MAX_RECORD_FILE_BYTES,
  parseCollection,
  parseJsonObject,
  parseMetadataPath,
} from '../format/site-format.js'
import type { FileEdit } from '../protocol/prepared.js'
import type { WorkingTree } from '../staging/working-tree.js'
import type { PathConflict } from './merge-changes.js'
import type { TextMerger } from './text-merger.js'

/** Tells what is wrong with a record, in words. `definition` is the oid of the collection file that has the schema. */
export type FindFaults = (record: { definition: Oid; schema: object; json: string }) => Promise<readonly string[]>

/** More are not named. */
const MAX_NAMED = 50

interface Merged {
  /** Has the edits staged. */
  tree: WorkingTree
  merger: TextMerger
  edits: readonly FileEdit[]
}

/** `isChecked` says whether a record is known to fit this collection file, because it was written with it. */
export async function findMisfits(
  { tree, merger, edits }: Merged,
  isChecked: (edit: FileEdit, definition: Oid, collectionPath: string) => boolean,
  findFaults: FindFaults,
): Promise<PathConflict[]> {
  const conflicts: PathConflict[] = []
  for (const edit of edits) {
    const { path, after } = edit
    const file = parseMetadataPath(path)
    if (file?.kind !== 'record' || after === null) continue
    const collectionPath = collectionPathOf(file.collectionId)
    const collection = tree.entry(collectionPath)
    if (collection === undefined || !isFile(collection.mode)) continue
    if (isChecked(edit, collection.oid, collectionPath)) continue
    const definition = merger.read(collection.oid, MAX_COLLECTION_BYTES)
    const schema = definition && parseCollection(file.collectionId, definition)?.schema
    const json = merger.read(after.oid, MAX_RECORD_FILE_BYTES)
    if (schema == null || json === undefined || parseJsonObject(json) === undefined) continue
    const faults = await findFaults({ definition: collection.oid, schema, json: json.toString() })
    if (faults.length === 0) continue
    const hunks = `The merged record does not fit its collection's schema: ${faults.join('; ')}.`
    if (conflicts.push({ path, reason: 'invalid', hunks, theirs: after.oid }) === MAX_NAMED) break
  }
  return conflicts
}
