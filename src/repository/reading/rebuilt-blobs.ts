// Bounds the memory for large blobs that git rebuilds from deltas while they are sent. git holds each whole, with its bases, until the
// client has taken all of it. A push can bring many of them, so sites share one bound.

import { rebuiltMemory } from '../../admission/memory-budget.js'

/** git takes 41 MB for a blob of 12 MB. */
const COPIES = 3

/** Waits until the site may rebuild a blob of that size. Resolves with a function to call after sending. Rejects with `site_busy`. */
export async function holdRebuilt(siteId: string, size: number): Promise<() => void> {
  // A blob counts at most as much as one site may have: otherwise a larger one would never be sent.
  const bytes = Math.min(COPIES * size, rebuiltMemory.half)
  if (await rebuiltMemory.takeSoon(siteId, bytes)) return () => rebuiltMemory.give(siteId, bytes)
  throw rebuiltMemory.refuse()
}
