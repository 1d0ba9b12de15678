// Measures how much a change adds to a site: its published pages, and the bytes of its files.

import type { TreeChange } from '../../git/objects/diff.js'
import type { Oid } from '../../git/objects/oid.js'
import { isPageFile } from '../../model/paths/page-path.js'
import { isFile } from './file-mode.js'
import { FORMER_DIR, SIDECAR_DIR } from './site-format.js'

type Entry = TreeChange['before']

/** Counts the pages that the changes add; negative if they remove more. */
export function countAddedPages(changes: Iterable<TreeChange>): number {
  let pages = 0
  for (const { path, before, after } of changes)
    if (isPageFile(path)) pages += Number(isFile(after?.mode)) - Number(isFile(before?.mode))
  return pages
}

/** Sums the bytes that the changes add, without sidecars and former addresses, which pages leave behind; negative if they remove more. */
export function sumAddedBytes(changes: Iterable<TreeChange>, sizeOf: (blob: Oid) => number): number {
  const sizeAt = (entry: Entry) => (entry !== undefined && isFile(entry.mode) ? sizeOf(entry.oid) : 0)
  let bytes = 0
  for (const { path, before, after } of changes)
    if (!path.startsWith(SIDECAR_DIR) && !path.startsWith(FORMER_DIR)) bytes += sizeAt(after) - sizeAt(before)
  return bytes
}
