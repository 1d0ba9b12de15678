// The entries of a log, and its head. Main means the branch in the log of a change request.

import type { Oid } from '../../git/objects/oid.js'
import type { RefLog } from '../../git/repository/ref.js'
import type { Publication } from '../../repository/protocol/write.js'
import type { LoggedPack, PackedBatch } from './logged-pack.js'

/** A move of main. */
export interface Entry extends PackedBatch {
  number: number
  old: Oid | null
  new: Oid | null
  /** Commit time in seconds. */
  time: number
  message: string
}

export interface FirstEntry {
  /** The site, in the log of a change request: the log begins only while the site's has not ended. */
  requestOf?: string
  batch: string
  head: Oid
  packs: readonly LoggedPack[]
  /** The bytes of its only pack and index if they are few enough to go with the entry. Other pieces were staged. */
  piece: Buffer | undefined
  log: RefLog
}

/** A move of main to append. */
export interface NextEntry extends Omit<FirstEntry, 'head' | 'requestOf'> {
  expected: Oid
  next: Oid
  /** The caller's id if it holds main. */
  holder: string | undefined
  /** Hashes of the idempotency keys of its requests. */
  keys: readonly string[]
  /** Change requests that must be at these heads, and are published with it. */
  publishes: readonly Publication[]
}

export interface LogHead {
  /** Null once the log has ended. */
  head: Oid | null
  /** The number of the last entry. */
  entries: number
  /** The mark of all tags (`markOfTags`). */
  tags: string
}
