// Maps pages to files and back, by their names in a clone of the site's repository.

import { LONG_DIR, pagePathOf, parsePagePath, treePathOf } from '../../model/paths/page-path.js'

/** Returns the page path of a file: `docs/index.html` is `/docs/`. A name that no page has in a repository is taken literally. */
export function pathOfFile(name: string): string {
  return pagePathOf(name) ?? `/${name.replaceAll('%', '%25')}`
}

/**
 * Returns the file of a page path: `/docs/` is `docs/index.html`; undefined if it is too long for a file name. Throws ServiceError for an
 * invalid path.
 */
export function fileOfPath(path: string): string | undefined {
  const file = treePathOf(parsePagePath(path))
  return file.startsWith(`${LONG_DIR}/`) ? undefined : file
}
