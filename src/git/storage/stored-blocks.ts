// A zlib stream that stores bytes as they are (RFC 1950, RFC 1951 §3.2.4), in blocks of one size: the place of each byte in it can
// be computed, so that a range is read without what comes before it.

/** The longest stored block that deflate has. */
const BLOCK_BYTES = 65_535
/** What stands before the bytes of a block: its final bit, its length, and the complement of that. */
const BLOCK_HEADER_BYTES = 5
/** Deflate with a window of 32 KiB, at the fastest level. */
const STREAM_HEADER = Buffer.from([0x78, 0x01])
const ADLER_MODULUS = 65_521
/** So many bytes can be added before the sums need their modulus, in 32 bits (RFC 1950 §9). */
const ADLER_RUN_BYTES = 3_800

/**
 * The bytes from `start` on, at most `length`, of a stream of `size` bytes that `StoredBlocks` made; `read` reads the stream. Undefined where it has
 * another form.
 */
export function readStored(
  read: (at: number, length: number) => Buffer,
  size: number,
  start: number,
  length: number,
): Buffer | undefined {
  if (!read(0, STREAM_HEADER.length).equals(STREAM_HEADER)) return undefined
  const end = Math.min(start + length, size)
  const first = Math.floor(start / BLOCK_BYTES)
  const last = Math.floor(Math.max(end - 1, start) / BLOCK_BYTES)
  const stride = BLOCK_HEADER_BYTES + BLOCK_BYTES
  const stored = read(STREAM_HEADER.length + first * stride, (last - first + 1) * stride)
  const parts: Buffer[] = []
  for (let block = first; block <= last; block++) {
    const at = (block - first) * stride
    const from = block * BLOCK_BYTES
    const bytes = Math.min(BLOCK_BYTES, size - from)
    const head = stored.subarray(at, at + BLOCK_HEADER_BYTES)
    if (!head.equals(blockHeader(bytes, from + bytes === size))) return undefined
    const data = stored.subarray(at + BLOCK_HEADER_BYTES, at + BLOCK_HEADER_BYTES + bytes)
    if (data.length !== bytes) return undefined
    parts.push(data.subarray(Math.max(start - from, 0), end - from))
  }
  return Buffer.concat(parts)
}

/** Stores the bytes that `push` gets, in chunks of any size; `end` gives what is left, and the checksum. */
export class StoredBlocks {
  #rest: Buffer[] = []
  #restBytes = 0
  #low = 1
  #high = 0
  #isBegun = false

  /** The parts of the stream that are complete now. */
  push(chunk: Buffer): Buffer[] {
    this.#addToChecksum(chunk)
    const parts = this.#begin()
    this.#rest.push(chunk)
    this.#restBytes += chunk.length
    // The last block is marked as such: one is kept back until more bytes follow it.
    if (this.#restBytes <= BLOCK_BYTES) return parts
    const bytes = Buffer.concat(this.#rest, this.#restBytes)
    let at = 0
    for (; bytes.length - at > BLOCK_BYTES; at += BLOCK_BYTES)
      parts.push(blockHeader(BLOCK_BYTES, false), bytes.subarray(at, at + BLOCK_BYTES))
    this.#rest = [bytes.subarray(at)]
    this.#restBytes = bytes.length - at
    return parts
  }

  end(): Buffer[] {
    const checksum = Buffer.alloc(4)
    checksum.writeUInt32BE(((this.#high << 16) | this.#low) >>> 0)
    return [...this.#begin(), blockHeader(this.#restBytes, true), ...this.#rest, checksum]
  }

  #begin(): Buffer[] {
    if (this.#isBegun) return []
    this.#isBegun = true
    return [STREAM_HEADER]
  }

  /** Adler-32 (RFC 1950 §8.2), which Node's zlib does not offer. */
  #addToChecksum(chunk: Buffer): void {
    let low = this.#low
    let high = this.#high
    for (let at = 0; at < chunk.length; ) {
      const end = Math.min(at + ADLER_RUN_BYTES, chunk.length)
      for (; at < end; at++) {
        low += chunk[at]!
        high += low
      }
      low %= ADLER_MODULUS
      high %= ADLER_MODULUS
    }
    this.#low = low
    this.#high = high
  }
}

function blockHeader(length: number, isLast: boolean): Buffer {
  const header = Buffer.alloc(BLOCK_HEADER_BYTES)
  header[0] = isLast ? 1 : 0
  header.writeUInt16LE(length, 1)
  header.writeUInt16LE(length ^ 0xffff, 3)
  return header
}
