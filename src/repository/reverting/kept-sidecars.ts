// Leaves the sidecars out of a revert that stay: one that removes a page keeps its sidecar, so that the path keeps its id. A sidecar goes if
// its page was there without it, or if another page was.

import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import type { Oid } from '../../git/objects/oid.js'
import { entryAt } from '../../git/repository/history.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { derivePageId, isDerivedId, isLaterId, mayDerive } from '../../model/ids.js'
import { type PagePath, pagePathOf, treePathOf } from '../../model/paths/page-path.js'
import { isFile } from '../format/file-mode.js'
import { MAX_SIDECAR_BYTES, parseMetadataPath, parseSidecar } from '../format/site-format.js'

/** Returns the path of the page whose sidecar the entry is. */
export function pathInSidecar(objects: ObjectReader, entry: TreeChange['after']): PagePath | undefined {
  const bytes = entry && isFile(entry.mode) ? objects.readBlobWithin(entry.oid, MAX_SIDECAR_BYTES) : undefined
  return bytes && parseSidecar(bytes)?.path
}

/** Whether the tree has a file of the page whose sidecar the change removes. */
export function hasPage(objects: ObjectReader, tree: Oid, { before }: TreeChange): boolean {
  const path = pathInSidecar(objects, before)
  return path !== undefined && isFile(entryAt(objects, tree, treePathOf(path))?.mode)
}

/**
 * Returns the changes without those that would remove a sidecar which stays. `returning` lists the pages that may have had their ids without
 * a sidecar; `isReplaced` says of a change that another reason lets it go.
 */
export function withoutKeptSidecars(
  siteId: string,
  changes: readonly TreeChange[],
  returning: () => readonly PagePath[],
  isReplaced: (change: TreeChange) => boolean,
): TreeChange[] {
  let pages: readonly PagePath[] | undefined
  let derived: ReadonlySet<string> | undefined
  const comesBack = (id: string) => {
    if (!isDerivedId(id)) return false
    pages ??= returning()
    derived ??= new Set(pages.map((path) => derivePageId(siteId, path)))
    return derived.has(id) || (isLaterId(id) && pages.some((path) => mayDerive(siteId, path, id)))
  }
  return changes.filter((change) => {
    const file = change.after === undefined ? parseMetadataPath(change.path) : undefined
    return file?.kind !== 'sidecar' || isReplaced(change) || comesBack(file.pageId)
  })
}

/** Returns the pages that the changes bring back. */
export function pagesComing(changes: readonly TreeChange[]): PagePath[] {
  return changes.flatMap(({ path, before }) => (before === undefined ? (pagePathOf(path) ?? []) : []))
}

/** Returns the pages in a tree. */
export function pagesIn(objects: ObjectReader, tree: Oid): PagePath[] {
  return pagesComing([...diffTrees(objects, undefined, tree)])
}
