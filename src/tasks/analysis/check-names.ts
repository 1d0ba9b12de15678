// Checks the names and modes in a site's tree: finds entries that are skipped, hidden, or collide.

import { joinTreePath } from '../../git/objects/tree-entry-name.js'
import { MODE_TREE, type TreeEntry } from '../../git/objects/tree.js'
import { assetPathOf, foldCase, type PagePath, pagePathOf, treePathOf, urlPathOf } from '../../model/paths/page-path.js'
import { fileTypeOf } from '../../model/paths/file-type.js'
import { isOwnPath } from '../../model/paths/tree-name.js'
import { isFile, isLink } from '../../repository/format/file-mode.js'
import { whyHidden } from '../../repository/format/hidden-content.js'
import { whyNoStart } from '../../repository/resolution/start-pages.js'
import { whyNoAlias } from '../../repository/format/linked-folders.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import type { Finding } from './finding.js'

/** Any origin: only folders of the site are asked for. */
const ORIGIN = 'http://site.invalid'

export interface Folder {
  /** Path without a slash at the end; '' is the root. */
  path: string
  entries: TreeEntry[]
}

/** Yields every folder of the tree, parents before children. */
export function* walkFolders(snapshot: Snapshot, path = ''): Generator<Folder> {
  const entries = snapshot.list(path)
  yield { path, entries }
  for (const { mode, name } of entries) {
    if (mode === MODE_TREE) yield* walkFolders(snapshot, joinTreePath(path, name))
  }
}

/** Yields undefined for an entry without a finding, so that a long check can pause. */
export function* checkNames(snapshot: Snapshot, folder: Folder): Generator<Finding | undefined> {
  for (const { name, reason } of snapshot.skipped(folder.path)) {
    const path = joinTreePath(folder.path, name)
    yield { code: 'unreadable_name', path, message: `This entry is skipped: ${reason}. Give it another name.` }
  }
  const seen = new Map<string, string>()
  for (const entry of folder.entries) {
    yield checkCase(folder, entry.name, seen)
    if (entry.mode !== MODE_TREE) yield* checkEntry(snapshot, folder, entry, seen)
  }
}

/** Checks for names that differ by case: macOS and Windows check out only one of two. `seen` holds the earlier names by their case fold. */
function checkCase({ path }: Folder, name: string, seen: Map<string, string>): Finding | undefined {
  const folded = foldCase(name)
  const other = seen.get(folded)
  if (other === undefined) {
    seen.set(folded, name)
    return undefined
  }
  const message = `This name differs from "${other}" only by case, and macOS and Windows can check out only one of them. Rename one.`
  return { code: 'names_differ_by_case', path: joinTreePath(path, name), message }
}

function* checkEntry(
  snapshot: Snapshot,
  folder: Folder,
  { mode, name }: TreeEntry,
  seen: ReadonlyMap<string, string>,
): Generator<Finding> {
  const path = joinTreePath(folder.path, name)
  if (!isFile(mode)) {
    const message = isLink(mode)
      ? whyNoAlias(path, snapshot.linkedEntry(path))
      : 'A submodule is never served. Push its files themselves.'
    if (message !== undefined) yield { code: 'not_a_file', path, message }
    return
  }
  const unstarted = whyNoStart({ snapshot, origin: ORIGIN }, path)
  if (unstarted !== undefined) yield { code: 'no_start_page', path, message: unstarted }
  const page = pagePathOf(path)
  if (page === undefined) {
    const hidden = whyHidden(path)
    if (hidden !== undefined && path.endsWith('.html')) yield { code: 'stray_file', path, message: hidden }
    if (!path.endsWith('.html') || isOwnPath(path)) return
    const message = `This file is served, but is in no list of pages: no page is stored under this name. ${adviceFor(path)}`
    yield { code: 'not_a_page', path, message }
    return
  }
  const type = fileTypeOf(page)
  if (type !== undefined) {
    const message = `The page ${page} is sent as HTML, although its path is that of a file (${type}): if it should be that file, PUT /files?path=${page} and unpublish the page.`
    yield { code: 'named_as_file', path, message }
  }
  const asset = assetPathOf(urlPathOf(page))
  if (asset !== undefined && mayHold(folder, asset, seen) && isFile(snapshot.linkedEntry(asset)?.mode)) {
    yield {
      code: 'hidden_page',
      path: asset,
      message: `This file has the URL of the page ${page} (${path}): rename one of them.`,
    }
  }
  if (page !== '/' && page.endsWith('/')) {
    const twin = treePathOf(page.slice(0, -1) as PagePath)
    if (!isFile(snapshot.entry(twin)?.mode)) return
    const message = `The pages ${page} and ${page.slice(0, -1)} (${twin}) differ only by a slash, and both are live: rename one if that is not meant.`
    yield { code: 'hidden_page', path, message }
  }
}

/**
 * Whether the folder may hold the file. Avoids a look-up in a large folder: a name sorts before its extensions, so it is in `seen` if it
 * exists.
 */
function mayHold(folder: Folder, path: string, seen: ReadonlyMap<string, string>): boolean {
  const cut = path.lastIndexOf('/')
  return path.slice(0, Math.max(cut, 0)) !== folder.path || seen.has(foldCase(path.slice(cut + 1)))
}

function adviceFor(path: string): string {
  if (/(?:^|\/)\.html$/.test(path)) return 'Give it a name.'
  return path.normalize('NFC') === path
    ? 'Percent-encode the characters that git or Windows treats specially.'
    : 'Write its name in Unicode normal form C.'
}
