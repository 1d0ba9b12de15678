// Refuses to read a repository that is another site's, as after a folder was copied or exchanged.

import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { assertOwnTree, OtherSitesRepository } from '../format/site-identity.js'
import { toServiceError } from '../protocol/failure.js'
import type { OnFailure } from './snapshot.js'

/** Throws `site_unreadable` if the tree's site file names another site. A site file that cannot be read makes no site unavailable. */
export function assertOwn(siteId: string, objects: ObjectReader, { tree }: { tree: Oid }, onFailure: OnFailure): void {
  try {
    assertOwnTree(objects, tree, siteId)
  } catch (error) {
    onFailure(error)
    if (error instanceof OtherSitesRepository) throw toServiceError(error)
  }
}
