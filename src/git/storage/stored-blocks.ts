// A zlib stream that stores bytes uncompressed (RFC 1950, RFC 1951 §3.2.4), in blocks of one size. The place of each byte can
// be computed, so that a range is read without the bytes before it.

import { deflateSync } from 'node:zlib'

/** The longest stored block in deflate. */
const BLOCK_BYTES = 65_535
/** Bytes before a block: its final bit, its length, and the complement of the length. */
const BLOCK_HEADER_BYTES = 5
/** Deflate with a window of 32 KiB, at the fastest level. */
const STREAM_HEADER = Buffer.from([0x78, 0x01])
const ADLER_MODULUS = 65_521
/** Bytes summed at a time: a piece this long stays in the processor's cache. */
const SUMMED_BYTES = 64 * 1024
/** Calling zlib for fewer bytes takes longer than adding them. */
const SHORT_BYTES = 1024
/** zlib stores the bytes; only the checksum after them is used. These options need the least memory. */
const SUM_ONLY = { level: 0, windowBits: 9, memLevel: 1, chunkSize: SUMMED_BYTES + 1024 }

/**
 * Reads up to `length` bytes from `start` on of a stream of `size` bytes that `StoredBlocks` made; `read` reads the stream. Undefined if
 * it has another form.
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

/** Stores `size` bytes, which `push` gets in chunks of any length; `end` gives the checksum. No byte is copied. */
export class StoredBlocks {
  readonly #size: number
  #taken = 0
  readonly #sum = new Adler32()

  constructor(size: number) {
    this.#size = size
  }

  /** Returns the bytes before the first stored byte. */
  begin(): Buffer[] {
    return this.#size === 0 ? [STREAM_HEADER, blockHeader(0, true)] : [STREAM_HEADER]
  }

  /** Returns the chunk, with the header of each block that begins in it. */
  push(chunk: Buffer): Buffer[] {
    this.#sum.update(chunk)
    const parts: Buffer[] = []
    for (let at = 0; at < chunk.length; ) {
      const inBlock = this.#taken % BLOCK_BYTES
      const left = this.#size - this.#taken
      if (inBlock === 0) parts.push(blockHeader(Math.min(BLOCK_BYTES, left), left <= BLOCK_BYTES))
      const part = chunk.subarray(at, at + BLOCK_BYTES - inBlock)
      parts.push(part)
      at += part.length
      this.#taken += part.length
    }
    return parts
  }

  end(): Buffer[] {
    return [this.#sum.digest()]
  }
}

/** Adler-32 (RFC 1950 §8.2), which Node offers only as the last bytes of zlib's output. */
class Adler32 {
  #low = 1
  #high = 0

  update(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += SUMMED_BYTES) this.#append(bytes.subarray(at, at + SUMMED_BYTES))
  }

  digest(): Buffer {
    const sum = Buffer.alloc(4)
    sum.writeUInt16BE(this.#high)
    sum.writeUInt16BE(this.#low, 2)
    return sum
  }

  #append(bytes: Buffer): void {
    if (bytes.length < SHORT_BYTES) return this.#appendEach(bytes)
    // The sums of two strings give the sum of both together, as in zlib's adler32_combine.
    const stream = deflateSync(bytes, SUM_ONLY)
    const high = stream.readUInt16BE(stream.length - 4)
    const low = stream.readUInt16BE(stream.length - 2)
    this.#high = (this.#high + high + bytes.length * (this.#low + ADLER_MODULUS - 1)) % ADLER_MODULUS
    this.#low = (this.#low + low + ADLER_MODULUS - 1) % ADLER_MODULUS
  }

  #appendEach(bytes: Buffer): void {
    for (const byte of bytes) {
      this.#low = (this.#low + byte) % ADLER_MODULUS
      this.#high = (this.#high + this.#low) % ADLER_MODULUS
    }
  }
}

function blockHeader(length: number, isLast: boolean): Buffer {
  const header = Buffer.alloc(BLOCK_HEADER_BYTES)
  header[0] = isLast ? 1 : 0
  header.writeUInt16LE(length, 1)
  header.writeUInt16LE(length ^ 0xffff, 3)
  return header
}
