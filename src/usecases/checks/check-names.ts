// What the names and modes in a site's tree give away: entries that are skipped, hidden, or in each other's way.

import { MODE_TREE, type TreeEntry } from '../../git/objects/tree.js'
import {
  assetPathOf,
  foldCase,
  LONG_DIR,
  type PagePath,
  pagePathOf,
  treePathOf,
  urlPathOf,
} from '../../model/paths/page-path.js'
import { isFile } from '../../store/format/file-mode.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import type { Finding } from './finding.js'

export interface Folder {
  /** Without a slash at the end; '' is the root. */
  path: string
  entries: TreeEntry[]
}

/** Every folder of the tree, the upper ones first. */
export function* walkFolders(snapshot: Snapshot, path = ''): Generator<Folder> {
  const entries = snapshot.list(path)
  yield { path, entries }
  for (const { mode, name } of entries) {
    if (mode === MODE_TREE) yield* walkFolders(snapshot, joinPath(path, name))
  }
}

/** Undefined stands for an entry that is in order: the place where a long check can pause. */
export function* checkNames(snapshot: Snapshot, folder: Folder): Generator<Finding | undefined> {
  for (const { name, reason } of snapshot.skipped(folder.path)) {
    const path = joinPath(folder.path, name)
    yield { code: 'unreadable_name', path, message: `This entry is skipped: ${reason}. Give it another name.` }
  }
  const seen = new Map<string, string>()
  for (const entry of folder.entries) {
    yield checkCase(folder, entry.name, seen)
    if (entry.mode !== MODE_TREE) yield* checkEntry(snapshot, folder, entry, seen)
  }
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

/** Such a clone cannot be checked out whole on macOS and Windows. `seen` has the names before, by their case fold. */
function checkCase({ path }: Folder, name: string, seen: Map<string, string>): Finding | undefined {
  const folded = foldCase(name)
  const other = seen.get(folded)
  if (other === undefined) {
    seen.set(folded, name)
    return undefined
  }
  const message = `It differs from "${other}" by case alone, and some computers can keep only one of them. Rename one.`
  return { code: 'names_differ_by_case', path: joinPath(path, name), message }
}

function* checkEntry(
  snapshot: Snapshot,
  folder: Folder,
  { mode, name }: TreeEntry,
  seen: ReadonlyMap<string, string>,
): Generator<Finding> {
  const path = joinPath(folder.path, name)
  if (!isFile(mode)) {
    const message = 'Symbolic links and submodules are never served: push the file itself.'
    yield { code: 'not_a_file', path, message }
    return
  }
  const page = pagePathOf(path)
  if (page === undefined) {
    if (!path.endsWith('.html') || isReserved(path)) return
    const message = `It is no page, since its name is not how a page's path is written; it is served as a file at its literal URL. ${adviceFor(path)}`
    yield { code: 'not_a_page', path, message }
    return
  }
  const asset = assetPathOf(urlPathOf(page))
  if (asset !== undefined && mayHold(folder, asset, seen) && isFile(snapshot.entry(asset)?.mode)) {
    yield {
      code: 'hidden_page',
      path: asset,
      message: `It has the URL of the page ${page} (${path}): rename one of them.`,
    }
  }
  if (page !== '/' && page.endsWith('/')) {
    const twin = treePathOf(page.slice(0, -1) as PagePath)
    if (!isFile(snapshot.entry(twin)?.mode)) return
    const message = `The pages ${page} and ${page.slice(0, -1)} (${twin}) answer for one another: rename one of them.`
    yield { code: 'hidden_page', path, message }
  }
}

/** Spares a look into a large folder: a name sorts before the same name with more behind it, so it was seen. */
function mayHold(folder: Folder, path: string, seen: ReadonlyMap<string, string>): boolean {
  const cut = path.lastIndexOf('/')
  return path.slice(0, Math.max(cut, 0)) !== folder.path || seen.has(foldCase(path.slice(cut + 1)))
}

function isReserved(path: string): boolean {
  return (
    path.split('/').some((name) => name.startsWith('.') && name !== '.well-known') || path.startsWith(`${LONG_DIR}/`)
  )
}

function adviceFor(path: string): string {
  return /(?:^|\/)\.html$/.test(path)
    ? 'Give it a name.'
    : 'Write the characters that have a meaning to git or Windows percent-encoded.'
}
