// Checks the places of what a write brings file by file, such as a revert: pages and files alike.

import { isFilePath } from '../../model/paths/file-path.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import type { SiteState } from '../staging/site-state.js'
import { assertFileFree } from './files.js'
import { assertPathFree } from './page-place.js'

/** Throws `path_conflict` where the file, which may be staged already, would answer for another page or file or hide it. */
export function assertPlaceFree(state: SiteState, treePath: string): void {
  const page = pagePathOf(treePath)
  if (page !== undefined) assertPathFree(state, page)
  else if (isFilePath(treePath)) assertFileFree(state, treePath)
}
