// Whether a repository is the one of the site that it is served as: `.site.json` in its root names the site's id.

import { RepositoryInvalid } from '../../git/objects/errors.js'
import type { Oid } from '../../git/objects/oid.js'
import { findEntry } from '../../git/objects/tree.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { isFile } from './file-mode.js'
import { MAX_SIDECAR_BYTES, parseSiteFile, SITE_FILE } from './site-format.js'

/** The repository at a site's place is another site's: nothing of it is served, and nothing is written into it. */
export class OtherSitesRepository extends RepositoryInvalid {
  constructor(siteId: string) {
    super(`it is the repository of the site ${siteId}, as its .site.json says`)
    this.name = 'OtherSitesRepository'
  }
}

/**
 * Throws OtherSitesRepository where the tree names another site: a copied or exchanged folder. A tree that names none passes, since
 * a push may remove the file. Throws the git layer's errors.
 */
export function assertOwnTree(objects: ObjectReader, tree: Oid, siteId: string): void {
  const named = siteIdIn(objects, tree)
  if (named !== undefined && named !== siteId) throw new OtherSitesRepository(named)
}

/** The id in the tree's site file; undefined without a valid one. Throws the git layer's errors. */
export function siteIdIn(objects: ObjectReader, tree: Oid): string | undefined {
  const entry = findEntry(objects.readTree(tree), SITE_FILE)
  if (entry === undefined || !isFile(entry.mode)) return undefined
  const bytes = objects.readBlobWithin(entry.oid, MAX_SIDECAR_BYTES)
  return bytes && parseSiteFile(bytes)?.id
}
