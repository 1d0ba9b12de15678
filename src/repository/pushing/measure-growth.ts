// Measures how much a push or an import adds to a site. Runs in a process of its own, since the size of its changes has no bound.

import { diffTrees } from '../../git/objects/diff.js'
import type { Oid } from '../../git/objects/oid.js'
import { UninstalledPacks } from '../../git/streams/uninstalled-packs.js'
import { ObjectDatabase } from '../../git/storage/object-database.js'
import { countAddedPages, sumAddedBytes } from '../format/growth.js'

export interface HistoryGrowth {
  gitdir: string
  /** The commit to compare with; null for a new site. */
  before: Oid | null
  after: Oid
  /** The packs of a push, without their endings. */
  packs: readonly string[]
}

/** Returns the pages and the bytes of files that the second commit adds. */
export function measureGrowth({ gitdir, before, after, packs }: HistoryGrowth): { pages: number; bytes: number } {
  const repository = new ObjectDatabase(gitdir)
  try {
    const objects = new UninstalledPacks(repository, packs)
    const trees = [before, after].map((oid) => (oid === null ? undefined : objects.readCommit(oid).tree))
    const changes = [...diffTrees(objects, trees[0], trees[1])]
    return { pages: countAddedPages(changes), bytes: sumAddedBytes(changes, (blob) => objects.readHeader(blob).size) }
  } finally {
    repository.close()
  }
}
