// Lists the pages of a tree. A tree of many equal folders is small and stands for more pages than there is time: pages are
// counted first, each folder once however often it occurs.

import type { Oid } from '../../git/objects/oid.js'
import { MODE_TREE, parseTree } from '../../git/objects/tree.js'
import { joinTreePath } from '../../git/objects/tree-entry-name.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { type PagePath, pagePathOf } from '../../model/paths/page-path.js'
import { isFile } from '../../store/format/file-mode.js'

/** Pages lie no deeper: a page's path in the tree has at most 1,024 bytes. */
const MAX_DEPTH = 512

/**
 * All pages except 404 pages and pages hidden behind an exact file; undefined where there are more than `max`. Throws the
 * git layer's errors.
 */
export function listPages(objects: Pick<ObjectReader, 'readTree'>, tree: Oid, max: number): PagePath[] | undefined {
  const counts = new Map<Oid, number>()

  /** Without those that are hidden: at least as many as are listed. */
  function count(folder: Oid, depth: number): number {
    const known = counts.get(folder)
    if (known !== undefined) return known
    let found = 0
    for (const { mode, name, oid } of entriesOf(folder)) {
      if (mode === MODE_TREE) found += depth < MAX_DEPTH ? count(oid, depth + 1) : 0
      else if (name.endsWith('.html')) found += 1
    }
    counts.set(folder, found)
    return found
  }

  function entriesOf(folder: Oid) {
    return parseTree(objects.readTree(folder)).entries.filter(({ name }) => !name.startsWith('.'))
  }

  const pages: PagePath[] = []
  function list(folder: Oid, path: string): void {
    const entries = entriesOf(folder)
    const files = new Set(entries.filter(({ mode }) => isFile(mode)).map(({ name }) => name))
    for (const { mode, name, oid } of entries) {
      const treePath = joinTreePath(path, name)
      if (mode === MODE_TREE && (counts.get(oid) ?? 0) > 0) list(oid, treePath)
      if (!isFile(mode) || name === '404.html' || files.has(name.replace(/\.html$/, ''))) continue
      const page = pagePathOf(treePath)
      if (page !== undefined) pages.push(page)
    }
  }

  if (count(tree, 0) > max) return undefined
  list(tree, '')
  return pages
}
