// Files of a folder as pages, and back: the same names that a clone of the site's repository has.

import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LONG_DIR, pagePathOf, parsePagePath, treePathOf } from '../../model/paths/page-path.js'

export interface LocalPage {
  file: string
  /** Where it is published. */
  path: string
}

export interface LocalFolder {
  pages: LocalPage[]
  /** Files that are no pages: assets, links to folders, what begins with a dot. */
  others: number
}

/** All `.html` files below a folder, in the order of their names, each below `prefix`. */
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

/** A link to a file is one too; links to folders are not followed: they may lead round in circles. */
function isFile(folder: string, name: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile()
  return statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true
}

/** `docs/index.html` is `/docs/`. A name that would mean no page in a repository is meant literally. */
export function pathOfFile(name: string): string {
  return pagePathOf(name) ?? `/${name.replaceAll('%', '%25')}`
}

/** `/docs/` is `docs/index.html`; undefined when no file's name can hold the path. Throws ServiceError for what is no path. */
export function fileOfPath(path: string): string | undefined {
  const file = treePathOf(parsePagePath(path))
  return file.startsWith(`${LONG_DIR}/`) ? undefined : file
}
