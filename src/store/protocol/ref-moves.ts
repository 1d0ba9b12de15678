// The requests of a push to a site's writer, after it was received and judged. They are plain data that crosses a thread boundary.

import type { RefChange } from '../../git/objects/ref-change.js'
import type { PackToInstall } from './write.js'

/** Commits that were received and judged outside of the writer, to become main's. */
export interface MainMove {
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
  changes: readonly RefChange[]
  /** Objects that the tags need. */
  packs: readonly PackToInstall[]
  /** The line in the ref's log: seconds, and who pushed. */
  time: number
  by: string
}
