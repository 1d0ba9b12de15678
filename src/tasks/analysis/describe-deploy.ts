// Describes the changes of a deploy's commit, for its answer.

import { isUtf8 } from 'node:buffer'
import type { TreeChange } from '../../git/objects/diff.js'
import { MAX_BLOB_BYTES, NOT_UTF8 } from '../../model/bytes.js'
import { isContentPath } from '../../model/paths/file-path.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import { isLfsPointer, LFS_POINTER, MAX_POINTER_BYTES } from '../../repository/format/lfs-pointer.js'
import { haveOtherCharset } from '../../repository/resolution/header-fields.js'
import { rulesOf } from '../../repository/resolution/site-rules.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import { prefixesOf, caseClashesOf } from './case-clashes.js'

type Warned = DeployChanges['warnings'][number]

/** The most files that an answer lists. */
const MAX_FILES = 1_000
const MAX_POINTERS = 100

export interface DeployChanges {
  /** False if nothing differs, also in files of the service other than pages and files. */
  changed: boolean
  created: number
  replaced: number
  removed: number
  /** The first changed files. */
  files: TreeChange[]
  /** Changed pages that are not UTF-8, new pointers of Git LFS, and new names that differ only by case from others. */
  warnings: { path: string; message: string }[]
}

/**
 * Describes the changes of pages and files: those that the deploy names, and others that it removed. With `anyEncoding` it looks for pages
 * that are not UTF-8.
 */
export function describeDeploy(
  before: Snapshot,
  after: Snapshot,
  { named, anyEncoding }: { named: readonly string[]; anyEncoding: boolean },
): DeployChanges {
  const changes = after.changesSince(before)
  const names = new Set(named)
  const files = changes.filter(({ path }) => names.has(path) || isContentPath(path))
  const created = files.filter((change) => change.before === undefined).length
  const removed = files.filter((change) => change.after === undefined).length
  const replaced = files.length - created - removed
  const encodings = anyEncoding ? otherEncodings(after, files) : []
  const warnings = [...clashesAmong(after, files, named), ...encodings, ...pointersAmong(after, files)]
  return { changed: changes.length > 0, created, replaced, removed, files: files.slice(0, MAX_FILES), warnings }
}

/** Compares new files with those that the deploy did not name. The answer to its manifest has the others. */
function clashesAmong(after: Snapshot, files: readonly TreeChange[], named: readonly string[]): Iterable<Warned> {
  const added = files.filter(({ before }) => before === undefined).map(({ path }) => path)
  return caseClashesOf(after, added, new Set(named.flatMap((path) => [...prefixesOf(path)])))
}

function* otherEncodings(after: Snapshot, files: readonly TreeChange[]): Generator<Warned> {
  for (const { path, after: now } of files) {
    const html =
      now !== undefined && pagePathOf(path) !== undefined ? after.blobWithin(now.oid, MAX_BLOB_BYTES) : undefined
    if (html !== undefined && !isUtf8(html) && !haveOtherCharset(rulesOf(after).headers, path))
      yield { path, message: NOT_UTF8 }
  }
}

function* pointersAmong(snapshot: Snapshot, files: readonly TreeChange[]): Generator<Warned> {
  let found = 0
  for (const { path, after } of files) {
    if (found === MAX_POINTERS) return
    if (after === undefined || !isLfsPointer(snapshot.blobWithin(after.oid, MAX_POINTER_BYTES))) continue
    found += 1
    yield { path, message: LFS_POINTER }
  }
}
