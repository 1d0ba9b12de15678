// Streams a blob that is too large for memory, as fast as its visitor reads.

import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Span } from '../../http/byte-range.js'

/**
 * Writes the bytes, or a span of them, to `to` and ends it. `begin` is called once the first bytes are read; nothing is
 * written before. Also resolves where the reader leaves. Rejects where reading fails, and then destroys `to` if it has begun.
 */
export async function streamBlob(
  bytes: AsyncGenerator<Buffer>,
  to: Writable,
  begin: () => void,
  span?: Span,
): Promise<void> {
  const wanted = span === undefined ? bytes : slice(bytes, span)
  const first = await wanted.next()
  if (to.destroyed) return void (await wanted.return(undefined))
  begin()
  try {
    await pipeline(join(first, wanted), to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

async function* join(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value
  yield* rest
}

/** The bytes of the span. Ending early stops the source. */
async function* slice(chunks: AsyncIterable<Buffer>, { start, end }: Span): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(start - at, 0), Math.max(end - at, 0))
    if (part.length > 0) yield part
    at += chunk.length
    if (at >= end) return
  }
  throw new Error('the blob ended before the span')
}
