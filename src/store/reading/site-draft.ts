// A write that was built and not kept: a site before and after it.

import type { NewObject } from '../../git/objects/object.js'
import type { Written } from '../protocol/write.js'
import type { Snapshot } from './snapshot.js'

/** A site as a write would leave it. */
export interface SiteDraft {
  /** Without facts; its commit is in `snapshot` alone. */
  written: Written
  base: Snapshot
  snapshot: Snapshot
  /** What `snapshot` has and the repository lacks. */
  objects: readonly NewObject[]
  /** Packs outside of the repository that hold the rest of it, by their paths without endings. */
  packs: readonly string[]
  /** What it holds in memory. */
  bytes: number
}
