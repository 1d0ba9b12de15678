// Maps the files of a folder to pages and back, by the names that a clone of the site's repository has.

import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LONG_DIR, pagePathOf, parsePagePath, treePathOf } from '../../model/paths/page-path.js'

export interface LocalPage {
  file: string
  /** The path that it is published at. */
  path: string
}

export interface LocalFolder {
  pages: LocalPage[]
  /** Files that are not pages: assets, links to folders, names that begin with a dot. */
  others: number
}

/** All `.html` files below a folder, in the order of their names, with paths below `prefix`. */
export function pagesOfFolder(folder: string, prefix: string): LocalFolder {
  const found: LocalFolder = { pages: [], others: 0 }
  collect(folder, prefix.replace(/\/+$/, ''), '', found)
  return found
}

function collect(folder: string, prefix: string, inside: string, found: LocalFolder): void {
  const entries = readdirSync(join(folder, inside), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = `${inside}${entry.name}`
    const hidden = entry.name.startsWith('.') && entry.name !== '.well-known'
    if (entry.isDirectory() && !hidden) collect(folder, prefix, `${name}/`, found)
    else if (hidden || !entry.name.endsWith('.html') || !isFile(folder, name, entry)) found.others += 1
    else found.pages.push({ file: join(folder, name), path: `${prefix}${pathOfFile(name)}` })
  }
}

/** A link to a file counts as a file; links to folders are not followed, since they may form a cycle. */
function isFile(folder: string, name: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile()
  return statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true
}

/** `docs/index.html` is `/docs/`. A name that is not a page's in a repository is taken literally. */
export function pathOfFile(name: string): string {
  return pagePathOf(name) ?? `/${name.replaceAll('%', '%25')}`
}

/** `/docs/` is `docs/index.html`; undefined where the path is too long for a file name. Throws ServiceError for an invalid path. */
export function fileOfPath(path: string): string | undefined {
  const file = treePathOf(parsePagePath(path))
  return file.startsWith(`${LONG_DIR}/`) ? undefined : file
}
