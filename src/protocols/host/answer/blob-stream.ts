// Streams a blob that is too large for memory, as fast as its visitor reads.

import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Writes the bytes to `to` and ends it. Calls `begin` once the first bytes are read; nothing is written before that.
 * Also resolves if the reader disconnects. Rejects if reading fails, and then destroys `to` if it has begun.
 */
export async function streamBlob(bytes: AsyncGenerator<Buffer>, to: Writable, begin: () => void): Promise<void> {
  const first = await bytes.next()
  if (to.destroyed) return void (await bytes.return(undefined))
  begin()
  try {
    await pipeline(join(first, bytes), to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

async function* join(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value
  yield* rest
}
