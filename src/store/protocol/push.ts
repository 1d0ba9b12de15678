// What a push asks a site's writer to do, once it was received and judged. It is plain data that crosses a thread boundary.

import type { PackToInstall } from './write.js'

/** Commits that were received and judged outside of the writer, to become main's. */
export interface Push {
  /** What main must be. */
  expected: string
  next: string
  packs: readonly PackToInstall[]
  /** For the line in the ref's log: commit time in seconds, and who pushed. */
  time: number
  by: string
}

/** Tags that were received and judged outside of the writer. */
export interface TagMove {
  changes: readonly TagChange[]
  /** Objects that the tags need. */
  packs: readonly PackToInstall[]
  /** Seconds, and who pushed. */
  time: number
  by: string
}

export interface TagChange {
  /** Full: `refs/tags/v1`. */
  ref: string
  /** Null where there must be none. */
  before: string | null
  /** Null takes it away. */
  after: string | null
}
