// Takes the first push of a repository that was not cloned from the site. Its commits stay as they are: one commit joins them to the
// site's own first commit, as a merge by hand would, and keeps the file with the site's id.

import { dirname, join } from 'node:path'
import { writeFilesDurable } from '../../git/disk/durable.js'
import { encodeCommit, formatMessage } from '../../git/objects/commit.js'
import { newObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { findEntry, parseTree, patchTree } from '../../git/objects/tree.js'
import { ObjectDatabase } from '../../git/storage/object-database.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { encodePack } from '../../git/storage/pack-writer.js'
import { openSigner } from '../disk/signing-key.js'
import { COMMITTER } from '../format/main-ref.js'
import { SITE_FILE } from '../format/site-format.js'
import type { PackToInstall } from '../protocol/write.js'
import { whereTheyMeet } from './judge/new-commits.js'
import { PushedObjects } from './judge/pushed-objects.js'

export interface FirstPush {
  gitdir: string
  /** The folder of the pushed objects. */
  quarantine: string
  /** The site's first commit. */
  first: Oid
  pushed: Oid
  /** The name of the person who pushes, the trailers that name the maker, and the time in seconds. */
  author: string
  trailers: readonly (readonly [name: string, value: string])[]
  time: number
}

/** Whether the commit is a site's first one, which holds its id and nothing else. A push then meets no branch. */
export function isBlank(objects: ObjectReader, head: Oid): boolean {
  const { parents, tree } = objects.readCommit(head)
  if (parents.length > 0) return false
  const { entries, skipped } = parseTree(objects.readTree(tree))
  return skipped.length === 0 && entries.length === 1 && entries[0]?.name === SITE_FILE
}

/**
 * Makes the commit that joins the pushed history to the site's, durable beside the pushed objects. Returns undefined if the pushed history
 * goes on from the site's first commit, or is no commit: then the push is judged as others are. Throws PushRefused if a commit is missing.
 */
export async function joinFirstPush(push: FirstPush): Promise<{ commit: Oid; pack: PackToInstall } | undefined> {
  const { gitdir, quarantine, first, pushed } = push
  const repository = new ObjectDatabase(gitdir)
  const objects = new PushedObjects(repository, quarantine)
  try {
    if (!objects.has(pushed) || objects.readHeader(pushed).type !== 'commit') return undefined
    if ((await whereTheyMeet({ gitdir, quarantine }, first, pushed)) === first) return undefined
    return store(push, build(objects, push))
  } finally {
    objects.clear()
    repository.close()
  }
}

function build(objects: ObjectReader, { gitdir, first, pushed, author, trailers, time }: FirstPush) {
  const siteFile = findEntry(objects.readTree(objects.readCommit(first).tree), SITE_FILE)
  if (siteFile === undefined) throw new Error('the first commit of a site holds its id')
  const tree = newObject('tree', patchTree(objects.readTree(objects.readCommit(pushed).tree), [siteFile]))
  const bytes = encodeCommit({
    tree: tree.oid,
    parents: [first, pushed],
    author: { ...COMMITTER, name: author, time },
    committer: { ...COMMITTER, time },
    message: formatMessage('Join the pushed history to the site', undefined, trailers),
  })
  return { tree, commit: newObject('commit', openSigner(dirname(gitdir))(bytes)) }
}

function store({ quarantine }: FirstPush, { tree, commit }: ReturnType<typeof build>) {
  const { id, pack, index } = encodePack([tree, commit])
  const path = join(quarantine, 'pack', `pack-${id}`)
  writeFilesDurable([
    [`${path}.pack`, pack],
    [`${path}.idx`, index],
  ])
  return { commit: commit.oid, pack: { id, path, bytes: pack.length } }
}
