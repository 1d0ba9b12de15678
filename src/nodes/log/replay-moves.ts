// Moves main, or the branch of a change request, on this machine as the entries of its log say.

import { RefLocked } from '../../git/objects/errors.js'
import type { Oid } from '../../git/objects/oid.js'
import { firstParents } from '../../git/repository/history.js'
import type { WritableDiskRepository } from '../../repository/disk/writable-disk-repository.js'
import { COMMITTER, MAIN } from '../../repository/format/main-ref.js'
import type { PackToInstall } from '../../repository/protocol/write.js'
import type { Entry } from './log-entries.js'

/** Moves main, or the branch. Throws RefLocked if main was moved meanwhile; the next call then looks at everything again. */
export function moveBranch(
  repository: WritableDiskRepository,
  expected: Oid,
  next: Oid,
  packs: readonly PackToInstall[],
  { time, message }: Pick<Entry, 'time' | 'message'>,
): void {
  const log = { committer: { ...COMMITTER, time }, message }
  if (repository.commit({ expected, next, objects: [], packs, log }) === 'moved') throw new RefLocked(MAIN)
}

/** Moves the branch of a change request unless it merged a commit of main that is not here. */
export function moveIfWhole(
  repository: WritableDiskRepository,
  at: Oid,
  [before, after]: readonly [Oid | null, Oid],
  packs: readonly PackToInstall[],
  entry: Entry,
): boolean {
  const release = repository.install(packs)
  try {
    if (!hasMerged(repository, before, after)) return false
    moveBranch(repository, at, after, [], entry)
    return true
  } finally {
    release()
  }
}

/** Whether all commits that were merged between two commits of a change request are here. */
function hasMerged({ objects }: WritableDiskRepository, before: Oid | null, after: Oid): boolean {
  for (const { oid, commit } of firstParents(objects, after)) {
    if (oid === before) break
    if (!commit.parents.every((parent) => objects.has(parent))) return false
  }
  return true
}
