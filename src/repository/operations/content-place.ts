// Checks the paths of pages and files that a write brings file by file, for example a revert.

import { isFilePath } from '../../model/paths/file-path.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import { assertFileFree } from './files.js'
import { assertPathFree, type Places } from './page-place.js'

/** Throws `path_conflict` if the file, which may be staged already, would hide another page or file or answer at its URL. */
export function assertPlaceFree(state: Places, treePath: string): void {
  const page = pagePathOf(treePath)
  if (page !== undefined) assertPathFree(state, page)
  else if (isFilePath(treePath)) assertFileFree(state, treePath)
}
