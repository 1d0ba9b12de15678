// Inflates what may be damaged: a size that is a lie costs no memory.

import { inflateSync } from 'node:zlib'

/** Bytes that are inflated at a time: no more than a size that may be a lie asks for. */
const SMALLEST_PIECE = 64
const LARGEST_PIECE = 1024 * 1024
/** Deflate makes at most as many bytes of one (RFC 1951: 258 bytes of two bits). */
const MOST_OF_ONE = 1032

/** Inflates at most `size` bytes; what follows the compressed ones is passed over. Throws what zlib throws. */
export function inflateAtMost(size: number, compressed: Buffer): Buffer {
  return inflateSync(compressed, {
    maxOutputLength: Math.max(size, 1),
    // As much as is needed: zlib's own piece of 16 KiB would stay in memory behind every small object.
    chunkSize: Math.min(size + SMALLEST_PIECE, LARGEST_PIECE),
  })
}

/** Whether so many compressed bytes can hold as many as a header claims. */
export function canHold(compressed: number, claimed: number): boolean {
  return claimed <= compressed * MOST_OF_ONE
}
