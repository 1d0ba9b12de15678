// A tip that a bypassed hook took out of main's history: kept, so that nothing acknowledged goes with the next gc.

import type { Oid } from '../../git/objects/oid.js'
import { moveRef, readRef } from '../../git/repository/ref.js'
import { COMMITTER } from '../format/main-ref.js'

/** Keeps it reachable under refs/palimpsest/lost/, for `fsck` to name. */
export function keepLost(gitdir: string, oid: Oid): void {
  const name = `refs/palimpsest/lost/${oid}`
  if (readRef(gitdir, name) !== undefined) return
  const committer = { ...COMMITTER, time: Math.floor(Date.now() / 1000) }
  moveRef(gitdir, name, undefined, oid, { committer, message: 'kept: no longer in the history of main' })
}
