// Inflates bytes that may be damaged: a false size costs no memory.

import { constants, inflateSync } from 'node:zlib'

/** Bytes that are inflated at a time, between these two. */
const MIN_PIECE_BYTES = 64
const MAX_PIECE_BYTES = 1024 * 1024
/** Deflate makes at most this many bytes of one (RFC 1951: 258 bytes of two bits). */
const MAX_RATIO = 1032

/** Inflates at most `size` bytes; bytes behind the compressed ones are ignored. Throws what zlib throws. */
export function inflateAtMost(size: number, compressed: Buffer): Buffer {
  return inflateSync(compressed, {
    maxOutputLength: Math.max(size, 1),
    // As much as is needed: zlib's own piece of 16 KiB would stay in memory behind every small object.
    chunkSize: Math.min(size + MIN_PIECE_BYTES, MAX_PIECE_BYTES),
  })
}

/** What the first bytes of a stream inflate to, without its end. Throws what zlib throws. */
export function inflateStart(compressed: Buffer): Buffer {
  return inflateSync(compressed, { finishFlush: constants.Z_SYNC_FLUSH })
}

/** Whether so many compressed bytes can inflate to as many as a header claims. */
export function canHold(compressed: number, claimed: number): boolean {
  return claimed <= compressed * MAX_RATIO
}
