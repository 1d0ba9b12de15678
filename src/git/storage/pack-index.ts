// A pack's index, version 2 (gitformat-pack): the offset of each object. A small index is kept in memory; of
// a large one only the first table, and the rest is read when needed.

import { ObjectCorrupt } from '../objects/errors.js'
import type { Oid } from '../objects/oid.js'
import { PackFile } from './pack-file.js'

const MAGIC = 0xff744f63
const HEADER = 8
const FANOUT = HEADER + 256 * 4
const TRAILER = 40
/** Size of an index of about 37,000 objects. */
const MAX_IN_MEMORY_BYTES = 1024 * 1024
const OIDS_AT_ONCE = 4096

/** Reads the entries of a whole index file without 64-bit offsets. */
export function entriesOfIndex(bytes: Buffer): { oid: string; crc: number; offset: number }[] {
  const count = bytes.readUInt32BE(FANOUT - 4)
  return Array.from({ length: count }, (_, at) => ({
    oid: bytes.toString('hex', FANOUT + at * 20, FANOUT + at * 20 + 20),
    crc: bytes.readUInt32BE(FANOUT + count * 20 + at * 4),
    offset: bytes.readUInt32BE(FANOUT + count * 24 + at * 4),
  }))
}

export class PackIndex {
  readonly #file: PackFile
  /** The whole file, or its header and first table. */
  readonly #bytes: Buffer
  readonly #count: number

  constructor(path: string) {
    this.#file = new PackFile(path)
    const { size } = this.#file
    this.#bytes = this.#file.read(0, size <= MAX_IN_MEMORY_BYTES ? size : FANOUT)
    if (size <= MAX_IN_MEMORY_BYTES) this.close()
    if (size < FANOUT + TRAILER || this.#bytes.readUInt32BE(0) !== MAGIC || this.#bytes.readUInt32BE(4) !== 2) {
      throw new ObjectCorrupt('a pack index', 'it is not of version 2')
    }
    this.#count = this.#bytes.readUInt32BE(FANOUT - 4)
    if (size < FANOUT + this.#count * 28 + TRAILER) throw new ObjectCorrupt('a pack index', 'it is cut short')
  }

  /** Returns the offset of the object with this binary oid in the pack. */
  offsetOf(wanted: Buffer): number | undefined {
    const first = wanted[0] ?? 0
    const start = first === 0 ? 0 : this.#bytes.readUInt32BE(HEADER + (first - 1) * 4)
    const end = this.#bytes.readUInt32BE(HEADER + first * 4)
    if (end <= start) return undefined
    const oids = this.#read(FANOUT + start * 20, (end - start) * 20)
    let low = 0
    let high = oids.length / 20
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = wanted.compare(oids, middle * 20, middle * 20 + 20)
      if (order === 0) return this.#offsetAt(start + middle)
      if (order < 0) high = middle
      else low = middle + 1
    }
    return undefined
  }

  /** Yields all oids of the index, in its order. */
  *oids(): Generator<Oid> {
    for (let at = 0; at < this.#count; at += OIDS_AT_ONCE) {
      const count = Math.min(OIDS_AT_ONCE, this.#count - at)
      const bytes = this.#read(FANOUT + at * 20, count * 20)
      for (let start = 0; start < bytes.length; start += 20) yield bytes.toString('hex', start, start + 20)
    }
  }

  /** Closes the file; a later read opens it again. */
  close(): void {
    this.#file.close()
  }

  #offsetAt(position: number): number {
    const offsets = FANOUT + this.#count * 24
    const offset = this.#read(offsets + position * 4, 4).readUInt32BE()
    if (offset < 0x80000000) return offset
    // With the high bit set, it is a position in the table of 64-bit offsets.
    return Number(this.#read(offsets + this.#count * 4 + (offset - 0x80000000) * 8, 8).readBigUInt64BE())
  }

  #read(at: number, length: number): Buffer {
    if (at + length <= this.#bytes.length) return this.#bytes.subarray(at, at + length)
    const bytes = this.#file.read(at, length)
    if (bytes.length < length) throw new ObjectCorrupt('a pack index', 'it points outside itself')
    return bytes
  }
}
