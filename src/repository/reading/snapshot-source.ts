// The plain values that another process needs to read a site at one commit, and the snapshot that is opened from them.

import { LRUCache } from 'lru-cache'
import type { NewObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { DraftObjects } from '../../git/storage/draft-objects.js'
import { ObjectDatabase } from '../../git/storage/object-database.js'
import { UninstalledPacks } from '../../git/streams/uninstalled-packs.js'
import { Snapshot } from './snapshot.js'

export interface SnapshotSource {
  siteId: string
  gitdir: string
  /** The repository that a change request borrows from. */
  lender?: string | undefined
  commit: Oid
  /** Objects of a draft that no repository holds. */
  drafted?: readonly NewObject[]
  /** Packs of a draft outside of the repository, by their paths without endings. */
  packs?: readonly string[]
}

const OPEN_REPOSITORIES = 8

const repositories = new LRUCache<string, ObjectDatabase, Pick<SnapshotSource, 'lender'>>({
  max: OPEN_REPOSITORIES,
  dispose: (objects) => objects.close(),
  memoMethod: (gitdir, _, { context: { lender } }) => new ObjectDatabase(gitdir, { lender }),
})

/** Opens the snapshot. Throws `site_unreadable` if the commit cannot be read. */
export function openSnapshot({ siteId, gitdir, lender, commit, drafted = [], packs = [] }: SnapshotSource): Snapshot {
  const objects = repositories.memo(gitdir, { context: { lender } })
  const isDraft = drafted.length > 0 || packs.length > 0
  return new Snapshot(
    siteId,
    isDraft ? new DraftObjects(new UninstalledPacks(objects, packs), drafted) : objects,
    commit,
  )
}
