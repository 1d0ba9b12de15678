// Turns a tree that was merged outside the writer's thread into what the writer needs: the edits, and the files on which they depend.

import type { Oid } from '../../git/objects/oid.js'
import { ServiceError } from '../../model/errors.js'
import { collectionPathOf, parseMetadataPath } from '../format/site-format.js'
import type { FileEdit, JudgedFile, PreparedMerge } from '../protocol/prepared.js'
import type { WorkingTree } from '../staging/working-tree.js'
import { fileOf } from './merge-changes.js'
import { isSameEntry } from './merge-entries.js'

/** `paths` are those that the merge touched, `made` the merged texts. */
export function toPrepared(tree: WorkingTree, paths: Iterable<string>, made: ReadonlyMap<Oid, Buffer>): PreparedMerge {
  const judged = Array.from(paths, (path) => judge(tree, path))
  const edits = judged.flatMap((file) => editOf(tree, file, made))
  const known = new Set(judged.map(({ path }) => path))
  const collections = new Set(edits.flatMap(({ path, after }) => (after === null ? [] : collectionOf(path))))
  // A record depends on its collection, which has its schema.
  const others = [...collections].filter((path) => !known.has(path))
  return { edits, judged: [...judged, ...others.map((path) => judge(tree, path))] }
}

/** Throws `conflict` for an edit that would publish one of the blobs. */
export function refuseWithheld(edits: readonly FileEdit[], withheld: readonly Oid[]): void {
  const isWithheld = new Set(withheld)
  const found = edits.find(({ after }) => after !== null && isWithheld.has(after.oid))
  if (found === undefined) return
  throw new ServiceError(
    'conflict',
    `This would publish a withdrawn version again, in ${found.path}: publish other html there first.`,
    { path: found.path },
  )
}

function judge(tree: WorkingTree, path: string): JudgedFile {
  return { path, before: fileOf(tree.flushedEntry(path)) ?? null }
}

/** Returns the staged file, if it differs from the head's. */
function editOf(tree: WorkingTree, { path, before }: JudgedFile, made: ReadonlyMap<Oid, Buffer>): FileEdit[] {
  const after = fileOf(tree.entry(path))
  if (isSameEntry(after, before ?? undefined)) return []
  const content = after && made.get(after.oid)
  return [{ path, after: after ?? null, ...(content && { content }) }]
}

function collectionOf(path: string): string[] {
  const file = parseMetadataPath(path)
  return file?.kind === 'record' ? [collectionPathOf(file.collectionId)] : []
}
