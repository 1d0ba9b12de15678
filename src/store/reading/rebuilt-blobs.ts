// Bounds the memory for large blobs that git rebuilds from deltas while they are sent. git holds each whole, with its bases, until the
// client has taken all of it. A push can bring many of them, so sites share one bound.

import { waited } from '../../admission/waits.js'
import { ByteBudget } from '../../model/byte-budget.js'
import { ServiceError } from '../../model/errors.js'

const MAX_BYTES = 192 * 1024 * 1024
/** git takes 41 MB for a blob of 12 MB. */
const COPIES = 3
/** The most that one blob counts: otherwise a larger one would never be sent. */
const MOST_COUNTED_BYTES = MAX_BYTES / 2
const MAX_WAIT_MS = 2000

const budget = new ByteBudget(MAX_BYTES)

/** Waits until the site may rebuild a blob of that size. Resolves with a function to call after sending. Rejects with `site_busy`. */
export async function holdRebuilt(siteId: string, size: number): Promise<() => void> {
  const bytes = Math.min(COPIES * size, MOST_COUNTED_BYTES)
  if (await waited('memory', budget.takeWithin(MAX_WAIT_MS, siteId, bytes))) return () => budget.give(siteId, bytes)
  throw new ServiceError(
    'site_busy',
    'Too many large files that git stores as differences are being sent. Try again in a few seconds.',
  )
}
