// Takes the first push of a repository that was not cloned from the site. Its commits stay as they are. One more commit joins them to the
// site's own first commit, as a merge by hand would, and keeps the file with the site's id.

import { join } from 'node:path'
import { writeFilesDurable } from '../../git/disk/durable.js'
import { encodeCommit, formatMessage } from '../../git/objects/commit.js'
import { newObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { parseTree, patchTree, type TreeEntry } from '../../git/objects/tree.js'
import { ObjectDatabase } from '../../git/storage/object-database.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { encodePack } from '../../git/storage/pack-writer.js'
import { COMMITTER } from '../format/main-ref.js'
import { SITE_FILE } from '../format/site-format.js'
import type { PackToInstall } from '../protocol/write.js'
import { whereTheyMeet } from './judge/new-commits.js'
import { PushedObjects } from './judge/pushed-objects.js'

/** The first commit of a site. It holds the file with the site's id, and nothing else. */
export interface FirstCommit {
  oid: Oid
  siteFile: TreeEntry
}

export interface FirstPush {
  gitdir: string
  /** The folder of the pushed objects. */
  quarantine: string
  first: FirstCommit
  pushed: Oid
  /** The name of the person who pushes, the trailers that name the maker, and the time in seconds. */
  author: string
  trailers: readonly (readonly [name: string, value: string])[]
  time: number
  sign: (commit: Buffer) => Buffer
}

/** Returns the head if it is a site's first commit; undefined for any other. */
export function asFirstCommit(objects: ObjectReader, head: Oid): FirstCommit | undefined {
  const { parents, tree } = objects.readCommit(head)
  if (parents.length > 0) return undefined
  const { entries, skipped } = parseTree(objects.readTree(tree))
  const [siteFile, ...others] = entries
  const isAlone = siteFile?.name === SITE_FILE && others.length === 0 && skipped.length === 0
  return isAlone ? { oid: head, siteFile } : undefined
}

/**
 * Makes the commit that joins the pushed history to the site's, durable beside the pushed objects. Returns undefined if the pushed history
 * goes on from the site's first commit, or is no commit. Such a push is judged as others are. Throws PushRefused if a commit is missing.
 */
export async function joinFirstPush(push: FirstPush): Promise<{ commit: Oid; pack: PackToInstall } | undefined> {
  const { gitdir, quarantine, first, pushed } = push
  const repository = new ObjectDatabase(gitdir)
  const objects = new PushedObjects(repository, quarantine)
  try {
    if (!objects.has(pushed) || objects.readHeader(pushed).type !== 'commit') return undefined
    if ((await whereTheyMeet({ gitdir, quarantine }, first.oid, pushed)) === first.oid) return undefined
    const joining = build(objects, push)
    return store(quarantine, joining)
  } finally {
    objects.clear()
    repository.close()
  }
}

function build(objects: ObjectReader, { first, pushed, author, trailers, time, sign }: FirstPush) {
  const { tree: pushedTree } = objects.readCommit(pushed)
  const tree = newObject('tree', patchTree(objects.readTree(pushedTree), [first.siteFile]))
  const bytes = encodeCommit({
    tree: tree.oid,
    parents: [first.oid, pushed],
    author: { ...COMMITTER, name: author, time },
    committer: { ...COMMITTER, time },
    message: formatMessage('Join the pushed history to the site', undefined, trailers),
  })
  return { tree, commit: newObject('commit', sign(bytes)) }
}

function store(quarantine: string, { tree, commit }: ReturnType<typeof build>) {
  const { id, pack, index } = encodePack([tree, commit])
  const path = join(quarantine, 'pack', `pack-${id}`)
  writeFilesDurable([
    [`${path}.pack`, pack],
    [`${path}.idx`, index],
  ])
  return { commit: commit.oid, pack: { id, path, bytes: pack.length } }
}
