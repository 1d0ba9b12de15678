// Enforces a minimum rate on a pack in transfer. A slower remote could occupy a place for any length of time.

import { RemoteFailed } from './remote-failed.js'

const MIN_BYTES_PER_SECOND = 1024
const WINDOW_MS = 120_000

/**
 * Passes the chunks on unchanged. After the first chunk, reading rejects with RemoteFailed if fewer than 1,024 bytes a second passed over
 * two minutes. `now`: a monotonic clock, in milliseconds.
 */
export async function* atLeastRate(
  chunks: AsyncIterable<Buffer>,
  now: () => number = () => performance.now(),
): AsyncGenerator<Buffer, void> {
  let since: number | undefined
  let bytes = 0
  for await (const chunk of chunks) {
    since ??= now()
    const elapsed = now() - since
    if (elapsed >= WINDOW_MS) {
      if (bytes < (MIN_BYTES_PER_SECOND * elapsed) / 1000)
        throw new RemoteFailed('The remote is slower than 1 KB a second: the transfer was given up after 2 minutes.')
      since = now()
      bytes = 0
    }
    bytes += chunk.length
    yield chunk
  }
}
