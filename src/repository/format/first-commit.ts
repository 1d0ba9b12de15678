// Makes the first commit of a site: it holds only the site file.

import { encodeCommit, formatMessage } from '../../git/objects/commit.js'
import { type NewObject, newObject } from '../../git/objects/object.js'
import { MODE_BLOB, patchTree } from '../../git/objects/tree.js'
import { COMMITTER } from './main-ref.js'
import { encodeSiteFile, SITE_FILE } from './site-format.js'

/** `time` is in seconds. */
export function firstCommitOf(
  site: { id: string; slug: string },
  time: number,
): { commit: NewObject; objects: NewObject[] } {
  const blob = newObject('blob', encodeSiteFile(site.id))
  const tree = newObject('tree', patchTree(Buffer.alloc(0), [{ name: SITE_FILE, mode: MODE_BLOB, oid: blob.oid }]))
  const identity = { ...COMMITTER, time }
  const message = formatMessage(`Create site ${site.slug}`, undefined, [])
  const commit = newObject(
    'commit',
    encodeCommit({ tree: tree.oid, parents: [], author: identity, committer: identity, message }),
  )
  return { commit, objects: [blob, tree, commit] }
}
