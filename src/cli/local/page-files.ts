// Maps pages to files and back, by the names that a clone of the site's repository has.

import { LONG_DIR, pagePathOf, parsePagePath, treePathOf } from '../../model/paths/page-path.js'

/** `docs/index.html` is `/docs/`. A name that is not a page's in a repository is taken literally. */
export function pathOfFile(name: string): string {
  return pagePathOf(name) ?? `/${name.replaceAll('%', '%25')}`
}

/** `/docs/` is `docs/index.html`; undefined where the path is too long for a file name. Throws ServiceError for an invalid path. */
export function fileOfPath(path: string): string | undefined {
  const file = treePathOf(parsePagePath(path))
  return file.startsWith(`${LONG_DIR}/`) ? undefined : file
}
