// Inflates bytes that may be damaged: a false size costs no memory.

import { constants, inflateSync } from 'node:zlib'
import { ObjectCorrupt } from '../objects/errors.js'

/** Least and most bytes that are inflated at a time. */
const MIN_PIECE_BYTES = 64
const MAX_PIECE_BYTES = 1024 * 1024
/** Deflate makes at most this many bytes of one (RFC 1951: 258 bytes of two bits). */
const MAX_RATIO = 1032

/** A larger object is never in memory: git streams it, or it is not read. */
export const MAX_OBJECT_BYTES = 64 * 1024 * 1024

/** Throws ObjectCorrupt for an object that claims more bytes than allowed in memory. */
export function refuseHuge(what: string, bytes: number): void {
  if (bytes <= MAX_OBJECT_BYTES) return
  throw new ObjectCorrupt(what, `it has ${bytes} bytes, and at most ${MAX_OBJECT_BYTES} are read at once`)
}

/** Inflates at most `size` bytes; bytes after the compressed ones are ignored. Throws zlib's errors. */
export function inflateAtMost(size: number, compressed: Buffer): Buffer {
  return inflateSync(compressed, {
    maxOutputLength: Math.max(size, 1),
    // Only as much as needed: zlib's own piece of 16 KiB would stay in memory behind every small object.
    chunkSize: Math.min(size + MIN_PIECE_BYTES, MAX_PIECE_BYTES),
  })
}

/** Inflates the first bytes of a stream, without its end. Throws zlib's errors. */
export function inflateStart(compressed: Buffer): Buffer {
  return inflateSync(compressed, { finishFlush: constants.Z_SYNC_FLUSH })
}

/** Whether that many compressed bytes can inflate to as many as a header claims. */
export function canHold(compressed: number, claimed: number): boolean {
  return claimed <= compressed * MAX_RATIO
}
