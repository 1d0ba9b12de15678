// The request of a push to a site's writer, after it was received and judged. It is plain data that crosses a thread boundary.

import type { PackToInstall } from './write.js'

/** Commits that were received and judged outside of the writer, to become main's. */
export interface Push {
  /** The commit at which main must be. */
  expected: string
  next: string
  packs: readonly PackToInstall[]
  /** The line in the ref's log: commit time in seconds, and who pushed. */
  time: number
  by: string
}

/** Tags that were received and judged outside of the writer. */
export interface TagMove {
  changes: readonly TagChange[]
  /** Objects that the tags need. */
  packs: readonly PackToInstall[]
  /** The line in the ref's log: seconds, and who pushed. */
  time: number
  by: string
}

export interface TagChange {
  /** The full name: `refs/tags/v1`. */
  ref: string
  /** Null if there must be no such tag. */
  before: string | null
  /** Null removes the tag. */
  after: string | null
}
