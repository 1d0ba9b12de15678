// A pack's index, version 2 (gitformat-pack): which object lies at which offset. Kept as bytes, searched in place.

import { readFileSync } from 'node:fs'
import { ObjectCorrupt } from './errors.js'

const MAGIC = 0xff744f63
const HEADER = 8
const FANOUT = HEADER + 256 * 4
const TRAILER = 40

export class PackIndex {
  readonly #bytes: Buffer
  readonly #count: number
  /** Offsets in rising order, made on first need: they say where each entry ends. */
  #sorted: Float64Array | undefined

  constructor(path: string) {
    this.#bytes = readFileSync(path)
    if (
      this.#bytes.length < FANOUT + TRAILER ||
      this.#bytes.readUInt32BE(0) !== MAGIC ||
      this.#bytes.readUInt32BE(4) !== 2
    ) {
      throw new ObjectCorrupt('a pack index', 'it is not of version 2')
    }
    this.#count = this.#bytes.readUInt32BE(FANOUT - 4)
    if (this.#bytes.length < FANOUT + this.#count * 28 + TRAILER)
      throw new ObjectCorrupt('a pack index', 'it is cut short')
  }

  get byteLength(): number {
    return this.#bytes.length
  }

  /** Where the object with this binary oid starts in the pack. */
  offsetOf(wanted: Buffer): number | undefined {
    const first = wanted[0] ?? 0
    let low = first === 0 ? 0 : this.#bytes.readUInt32BE(HEADER + (first - 1) * 4)
    let high = this.#bytes.readUInt32BE(HEADER + first * 4)
    while (low < high) {
      const middle = (low + high) >>> 1
      const at = FANOUT + middle * 20
      const order = this.#bytes.compare(wanted, 0, 20, at, at + 20)
      if (order === 0) return this.#offsetAt(middle)
      if (order < 0) low = middle + 1
      else high = middle
    }
    return undefined
  }

  /** Where the entry after the one at `offset` starts; undefined for the last. */
  nextOffset(offset: number): number | undefined {
    this.#sorted ??= Float64Array.from({ length: this.#count }, (_, i) => this.#offsetAt(i)).toSorted()
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sorted[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return this.#sorted[low]
  }

  #offsetAt(position: number): number {
    const offsets = FANOUT + this.#count * 24
    const offset = this.#bytes.readUInt32BE(offsets + position * 4)
    if (offset < 0x80000000) return offset
    // The high bit points into the table of 64-bit offsets.
    return Number(this.#bytes.readBigUInt64BE(offsets + this.#count * 4 + (offset - 0x80000000) * 8))
  }
}
