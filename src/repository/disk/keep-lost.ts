// Keeps commits that a bypassed hook took out of main's history, so that no acknowledged write is lost at the next gc.

import type { Oid } from '../../git/objects/oid.js'
import { moveRef, readRef } from '../../git/repository/ref.js'
import { COMMITTER } from '../format/main-ref.js'

/** Keeps the commit reachable under refs/palimpsest/lost/, where `fsck` reports it. */
export function keepLost(gitdir: string, oid: Oid): void {
  const name = `refs/palimpsest/lost/${oid}`
  if (readRef(gitdir, name) !== undefined) return
  const committer = { ...COMMITTER, time: Math.floor(Date.now() / 1000) }
  moveRef(gitdir, name, undefined, oid, { committer, message: 'kept: no longer in the history of main' })
}
