// Lists the pages of a tree. A tree may use one subfolder many times, so a small push can describe millions of pages. Pages and their
// characters are therefore counted first, and each distinct folder only once.

import type { Oid } from '../../../git/objects/oid.js'
import { MODE_TREE, parseTree } from '../../../git/objects/tree.js'
import { joinTreePath } from '../../../git/objects/tree-entry-name.js'
import type { ObjectReader } from '../../../git/storage/object-reader.js'
import { type PagePath, pagePathOf } from '../../../model/paths/page-path.js'
import { isFile, isLink } from '../../../repository/format/file-mode.js'

/** Deepest folder that can hold pages: a page's path in the tree has at most 1,024 bytes. */
const MAX_DEPTH = 512

const NONE: Pages = { count: 0, characters: 0 }
const ONE: Pages = { count: 1, characters: 0 }

export interface Pages {
  count: number
  /** Characters of the paths of all their files together. */
  characters: number
}

/**
 * Lists all pages one by one, except 404 pages and pages hidden behind an exact file or link. Returns undefined if there are more than `max`.
 * Throws the git layer's errors, also during iteration.
 */
export function listPages(
  objects: Pick<ObjectReader, 'readTree'>,
  tree: Oid,
  max: Pages,
): Iterable<PagePath> | undefined {
  const counts = new Map<Oid, Pages>()

  /** Counts pages, also the hidden ones: at least as many as are listed. */
  function count(folder: Oid, depth: number): Pages {
    if (depth > MAX_DEPTH) return NONE
    const known = counts.get(folder)
    if (known !== undefined) return known
    const found = { count: 0, characters: 0 }
    for (const { mode, name, oid } of entriesOf(folder)) {
      const file = name.endsWith('.html') ? ONE : NONE
      const below = mode === MODE_TREE ? count(oid, depth + 1) : file
      found.count += below.count
      found.characters += below.characters + below.count * (name.length + 1)
    }
    counts.set(folder, found)
    return found
  }

  function entriesOf(folder: Oid) {
    return parseTree(objects.readTree(folder)).entries.filter(({ name }) => !name.startsWith('.'))
  }

  const open = (folder: Oid, path: string) => {
    const entries = entriesOf(folder)
    const files = new Set(entries.filter(({ mode }) => isFile(mode) || isLink(mode)).map(({ name }) => name))
    return { path, files, left: entries.values() }
  }

  function* list(): Generator<PagePath> {
    // Uses a stack instead of recursion, which would pass each page up through all its folders.
    const folders = [open(tree, '')]
    for (let folder = folders.at(-1); folder !== undefined; folder = folders.at(-1)) {
      const { done, value: entry } = folder.left.next()
      if (done === true) {
        folders.pop()
        continue
      }
      const { mode, name, oid } = entry
      const treePath = joinTreePath(folder.path, name)
      if (mode === MODE_TREE && (counts.get(oid) ?? NONE).count > 0) folders.push(open(oid, treePath))
      if (!isFile(mode) || name === '404.html' || folder.files.has(name.replace(/\.html$/, ''))) continue
      const page = pagePathOf(treePath)
      if (page !== undefined) yield page
    }
  }

  const all = count(tree, 0)
  return all.count > max.count || all.characters > max.characters ? undefined : list()
}
