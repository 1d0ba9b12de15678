// The least rate of a pack on its way: a remote that takes or sends it more slowly would hold a place for as long as it likes.

import { RemoteFailed } from './remote-failed.js'

const MIN_BYTES_PER_SECOND = 1024
const WINDOW_MS = 120_000

/**
 * The chunks as they are. From the first on, reading rejects with RemoteFailed where fewer than 1,024 bytes a second went through over two
 * minutes. `now` is monotonic, milliseconds.
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
