// Large blobs that git puts together from deltas while they are sent: it holds each whole, with what it is made from, until the client
// has taken all of it. A push can bring many of them, so their memory has a bound, which sites share.

import { waited } from '../../admission/waits.js'
import { ByteBudget } from '../../model/byte-budget.js'
import { ServiceError } from '../../model/errors.js'

const MAX_BYTES = 192 * 1024 * 1024
/** git takes 41 MB for a blob of 12 MB. */
const COPIES = 3
/** A blob that takes more than this counts for so much: otherwise it would never be sent. */
const MOST_COUNTED_BYTES = MAX_BYTES / 2
const MAX_WAIT_MS = 2000

const budget = new ByteBudget(MAX_BYTES)

/** Waits until a blob of that size may be put together for a site; what it resolves with is called when it was sent. Rejects with `site_busy`. */
export async function holdRebuilt(siteId: string, size: number): Promise<() => void> {
  const bytes = Math.min(COPIES * size, MOST_COUNTED_BYTES)
  if (await waited('memory', budget.takeWithin(MAX_WAIT_MS, siteId, bytes))) return () => budget.give(siteId, bytes)
  throw new ServiceError(
    'site_busy',
    'Too many large files that git stores as differences are being sent. Try again in a few seconds.',
  )
}
