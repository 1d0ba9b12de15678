// The folders of the pages, one for each segment of their paths, with the number of pages in each.

import type { Page } from '../../api/client.js'
import type { TreeNode } from '../../parts/lists/tree.js'

/** The key of the node for all pages. */
export const ALL = '/'
/** A site with fewer pages has no tree. */
export const MIN_PAGES = 30
/** A tree shows so many folders side by side. */
const MAX_SIDE_BY_SIDE = 500

interface Folder {
  key: string
  label: string
  count: number
  folders: Map<string, Folder>
}

const compare = new Intl.Collator(undefined, { numeric: true }).compare

/** Returns the folder of a path: `/docs/` for `/docs/` and for `/docs/install`. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Returns the folders of a folder, each before those in it: `/`, `/docs/`, `/docs/api/`. */
export function wayTo(folder: string): string[] {
  const segments = folder.split('/').slice(1, -1)
  return [ALL, ...segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}/`)]
}

/** Returns the path as people read it. */
export function readable(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** Returns all pages as the first node, then the folders. A page such as `/about/` alone makes no folder. */
export function toTree(pages: readonly Page[]): TreeNode[] {
  const root: Folder = { key: ALL, label: '', count: 0, folders: new Map() }
  for (const { path } of pages) count(root, path)
  return [{ key: ALL, label: 'All pages', icon: 'page', count: pages.length }, ...nodesOf(root)]
}

/** Lists the folders with their whole paths, each before those in it. */
export function flatten(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.flatMap((node) => [node, ...flatten(node.children ?? [])])
}

function count(root: Folder, path: string): void {
  let at = root
  at.count += 1
  for (const segment of folderOf(path).split('/').slice(1, -1)) {
    const key = `${at.key}${segment}/`
    const next = at.folders.get(key) ?? { key, label: readable(segment), count: 0, folders: new Map<string, Folder>() }
    at.folders.set(key, next)
    next.count += 1
    at = next
  }
}

function nodesOf({ folders }: Folder): TreeNode[] {
  return [...folders.values()]
    .filter((folder) => folder.count > 1)
    .toSorted((a, b) => compare(a.label, b.label))
    .slice(0, MAX_SIDE_BY_SIDE)
    .map((folder) => ({
      key: folder.key,
      label: folder.label,
      count: folder.count,
      ...(folder.folders.size > 0 && { children: nodesOf(folder) }),
    }))
}
