// Checks that a repository belongs to the site that it is served as: `.site.json` in its root has the site's id.

import { RepositoryInvalid } from '../../git/objects/errors.js'
import type { Oid } from '../../git/objects/oid.js'
import { findEntry } from '../../git/objects/tree.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { isFile } from './file-mode.js'
import { MAX_SIDECAR_BYTES, parseSiteFile, SITE_FILE } from './site-format.js'

/** The repository at a site's path belongs to another site: it is neither served nor written. */
export class OtherSitesRepository extends RepositoryInvalid {
  constructor(siteId: string) {
    super(`it is the repository of the site ${siteId}, as its .site.json says`)
    this.name = 'OtherSitesRepository'
  }
}

/**
 * Throws OtherSitesRepository if the tree names another site, as after a folder was copied or exchanged. A tree without an id passes,
 * since a push may remove the file. Throws the git layer's errors.
 */
export function assertOwnTree(objects: ObjectReader, tree: Oid, siteId: string): void {
  const named = siteIdIn(objects, tree)
  if (named !== undefined && named !== siteId) throw new OtherSitesRepository(named)
}

/** Returns the id in the tree's site file; undefined if there is no valid one. Throws the git layer's errors. */
export function siteIdIn(objects: ObjectReader, tree: Oid): string | undefined {
  const entry = findEntry(objects.readTree(tree), SITE_FILE)
  if (entry === undefined || !isFile(entry.mode)) return undefined
  const bytes = objects.readBlobWithin(entry.oid, MAX_SIDECAR_BYTES)
  return bytes && parseSiteFile(bytes)?.id
}
