// Inflates bytes that may be damaged: a false size costs no memory.

import { constants, inflateSync } from 'node:zlib'
import { ObjectCorrupt } from '../objects/errors.js'

/** Bytes that are inflated at a time, between these two. */
const MIN_PIECE_BYTES = 64
const MAX_PIECE_BYTES = 1024 * 1024
/** Deflate makes at most this many bytes of one (RFC 1951: 258 bytes of two bits). */
const MAX_RATIO = 1032

/** A larger object is never in memory: it is streamed by git, or not read. */
export const MAX_OBJECT_BYTES = 64 * 1024 * 1024

/** Throws ObjectCorrupt for an object that claims more bytes than one may have in memory. */
export function refuseHuge(what: string, bytes: number): void {
  if (bytes <= MAX_OBJECT_BYTES) return
  throw new ObjectCorrupt(what, `it has ${bytes} bytes, and at most ${MAX_OBJECT_BYTES} are read at once`)
}

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
