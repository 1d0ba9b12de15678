// Reads blobs that are too large for memory, a few buffers at a time. Blobs that are stored uncompressed are read by offset, others through
// git cat-file. A blob is read to the end and hashed before a caller gets its first byte, so that no caller gets a wrong one.

import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { GitFailed, streamGit } from '../command.js'
import { ObjectCorrupt } from '../objects/errors.js'
import type { Oid } from '../objects/oid.js'
import { SMALL_WINDOWS } from '../packing-settings.js'
import type { BlobSpan } from './object-reader.js'

/** Time for which a successful check counts. */
const CHECKED_MS = 10 * 60_000
const MAX_CHECKED = 1024
/** Bytes read at once of a blob that is stored uncompressed. */
const PIECE_BYTES = 256 * 1024

export interface LargeBlob {
  gitdir: string
  oid: Oid
  size: number
  /** Reads bytes from `start` on; resolves to undefined if only git can read the blob. */
  readStored?: (start: number, length: number) => Promise<Buffer | undefined>
}

/** Checked blobs, by repository and oid. Callers that come during a check wait for it. */
const checked = new LRUCache<string, true, LargeBlob>({
  max: MAX_CHECKED,
  ttl: CHECKED_MS,
  fetchMethod: async (_key, _stale, { context }) => {
    await checkLargeBlob(context)
    return true as const
  },
})

/**
 * Yields the bytes of the blob, or of a span of it; ending early stops git. Throws ObjectCorrupt, before the first byte if they do
 * not match the id.
 */
export async function* readLargeBlob(blob: LargeBlob, span?: BlobSpan): AsyncGenerator<Buffer> {
  const key = `${blob.gitdir}/${blob.oid}`
  await checked.fetch(key, { context: blob })
  try {
    yield* piecesOf(blob, span ?? { start: 0, end: blob.size })
  } catch (error) {
    checked.delete(key)
    throw error
  }
}

/** Reads the whole blob now. Throws ObjectCorrupt if its bytes do not match its id. */
export async function checkLargeBlob(blob: LargeBlob): Promise<void> {
  const { oid, size } = blob
  const hash = createHash('sha1').update(`blob ${size}\0`)
  for await (const chunk of piecesOf(blob, { start: 0, end: size })) {
    hash.update(chunk)
    // Reading by offset does not wait by itself.
    await nextTurn()
  }
  if (hash.digest('hex') !== oid) throw wrongBytes(oid)
}

/** Yields pieces. If a whole blob was damaged since the check, it throws before the last piece. */
async function* piecesOf(blob: LargeBlob, { start, end }: BlobSpan): AsyncGenerator<Buffer> {
  const { gitdir, oid, size, readStored } = blob
  const hash = createHash('sha1').update(`blob ${size}\0`)
  let at = start
  while (at < end) {
    const piece = await readStored?.(at, Math.min(PIECE_BYTES, end - at))
    if (piece === undefined) {
      yield* slice(catFile(gitdir, oid), { start: at, end })
      return
    }
    at += piece.length
    hash.update(piece)
    if (start === 0 && at === size && hash.digest('hex') !== oid) throw wrongBytes(oid)
    yield piece
  }
}

function wrongBytes(oid: Oid): ObjectCorrupt {
  return new ObjectCorrupt(`object ${oid}`, 'its bytes have another id', oid)
}

/** Yields the bytes of the span. Ending early stops the source. */
async function* slice(chunks: AsyncIterable<Buffer>, { start, end }: BlobSpan): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(start - at, 0), Math.max(end - at, 0))
    if (part.length > 0) yield part
    at += chunk.length
    // Only at the end of the blob does git report whether it could read all of it.
    if (at > end) return
  }
  if (at < end) throw new ObjectCorrupt('a blob', 'it ended before the span')
}

/** Yields the blob from git. The last bytes come only when git has read all of it. */
async function* catFile(gitdir: string, oid: Oid): AsyncGenerator<Buffer> {
  try {
    // Without the threshold git itself would hold a packed blob of up to 512 MiB in memory.
    const args = ['-c', 'core.bigFileThreshold=1m', ...SMALL_WINDOWS, 'cat-file', 'blob', oid]
    yield* streamGit(gitdir, args)
  } catch (error) {
    if (error instanceof GitFailed) throw new ObjectCorrupt(`object ${oid}`, error.message, oid)
    throw error
  }
}
