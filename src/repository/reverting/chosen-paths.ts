// Decides which files of a tree belong to pages, files and folders that somebody chose.

import { ServiceError } from '../../model/errors.js'
import { type PagePath, parsePagePath, treePathOf } from '../../model/paths/page-path.js'

/** Says whether a file or a page is chosen. */
export interface ChosenPaths {
  hasFile: (treePath: string) => boolean
  hasPage: (path: PagePath) => boolean
}

/**
 * `paths` are of pages and files; one that ends with a slash is a folder with all that is in it. Throws `invalid_path` for one that does not
 * begin with a slash.
 */
export function choosePaths(paths: readonly string[]): ChosenPaths {
  const files = new Set<string>()
  const folders: string[] = []
  for (const path of paths) {
    if (!path.startsWith('/'))
      throw new ServiceError('invalid_path', `The path "${path}" must begin with "/", such as /about or /docs/.`)
    if (path.endsWith('/')) folders.push(path.slice(1))
    else for (const file of filesAt(path)) files.add(file)
  }
  const isIn = (path: string) => folders.some((folder) => path.startsWith(folder))
  const hasFile = (treePath: string) => files.has(treePath) || isIn(treePath)
  return { hasFile, hasPage: (path) => hasFile(treePathOf(path)) || isIn(path.slice(1)) }
}

/** Returns the file of this name, and that of the page at this path. */
function filesAt(path: string): string[] {
  try {
    return [path.slice(1), treePathOf(parsePagePath(path))]
  } catch {
    return [path.slice(1)]
  }
}
