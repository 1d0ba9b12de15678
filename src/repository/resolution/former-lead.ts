// Finds where a former address of a site leads: to another place, to nothing for good (410), or nowhere.

import { placeOfUrl } from '../../model/paths/link-place.js'
import { MODE_TREE } from '../../git/objects/tree.js'
import { isFile } from '../format/file-mode.js'
import { followFormer, type Lead } from '../format/former-address.js'
import { FORMER_DIR, MAX_SIDECAR_BYTES } from '../format/site-format.js'
import type { Snapshot } from '../reading/snapshot.js'
import { findFile } from './find-file.js'
import { placeInSite } from './own-place.js'

export type FormerFiles = Pick<Snapshot, 'entry' | 'linkedEntry' | 'blob' | 'size' | 'nearestFile'>

const ANY_ORIGIN = 'http://site.invalid'

/** `isRuled` says whether the rules of the site answer at a path: nothing is passed over that they decide. */
export function formerLead(
  files: FormerFiles,
  pathname: string,
  { origin = ANY_ORIGIN, isRuled = () => false }: { origin?: string; isRuled?: (pathname: string) => boolean } = {},
): Lead | undefined {
  // A site without former addresses pays for this look alone, and only where it has nothing at the path.
  if (files.entry(FORMER_DIR)?.mode !== MODE_TREE) return undefined
  const place = placeOfUrl(pathname)
  if (place === undefined) return undefined
  return followFormer((path) => read(files, path), place, {
    isThere: (path) => findFile(files, path) !== undefined || isRuled(path),
    inSite: (to) => placeInSite(origin, to),
  })
}

function read(files: FormerFiles, treePath: string): Buffer | undefined {
  const entry = files.entry(treePath)
  if (entry === undefined || !isFile(entry.mode) || files.size(entry.oid) > MAX_SIDECAR_BYTES) return undefined
  return files.blob(entry.oid)
}
