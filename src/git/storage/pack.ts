// One pack, read by offset: reading an object costs its own size, never the pack's (gitformat-pack).

import { join } from 'node:path'
import { applyDelta, readDeltaSize } from './delta.js'
import { ObjectCorrupt } from '../objects/errors.js'
import { canHold, inflateAtMost, inflateStart, refuseHuge } from './inflate.js'
import type { ObjectHeader } from './loose.js'
import { ObjectCache } from './object-cache.js'
import type { GitObject, ObjectType } from '../objects/object.js'
import type { Oid } from '../objects/oid.js'
import { PackFile } from './pack-file.js'
import { readStored } from './stored-blocks.js'
import { PackIndex } from './pack-index.js'
import type { ReadBudget } from './object-reader.js'

const TYPES: Record<number, ObjectType> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }
const OFS_DELTA = 6
const REF_DELTA = 7
/** Longest entry header: type and size, then an offset or an oid. */
const HEADER_BYTES = 32
const TRAILER_BYTES = 20
/** Compressed bytes that always contain the first bytes of a delta, even after the longest code tables. */
const START_BYTES = 512
/** git itself makes chains of 50 by default, and of at most 4,095. */
const MAX_CHAIN_DELTAS = 4096
/** Cost of opening an index, as bytes that are read. */
const INDEX_BYTES = 4096
/** Cost of an entry in addition to its bytes, as bytes that are read. */
const LINK_BYTES = 4096

/** An entry's header. */
interface Entry {
  type: number
  /** Inflated bytes of the object, or of its delta. */
  size: number
  /** Start of the compressed bytes. */
  data: number
  /** Start of a delta's base, in this pack. */
  base: number | undefined
  /** Id of a delta's base, in any pack. */
  baseOid: Oid | undefined
}

function isDelta({ base, baseOid }: Entry): boolean {
  return base !== undefined || baseOid !== undefined
}

export class Pack {
  /** `pack-<id>`: the name of its files without their endings. */
  readonly name: string
  readonly #file: PackFile
  readonly #indexPath: string
  #opened: PackIndex | undefined
  readonly #budget: ReadBudget | undefined
  /** Objects that deltas were applied to, by offset: the next version of a page is mostly a delta on one of these. */
  readonly #bases = new ObjectCache()

  /** Opens no file: only a few packs of a folder are read. */
  constructor(folder: string, name: string, budget?: ReadBudget) {
    this.name = name
    this.#budget = budget
    this.#file = new PackFile(join(folder, `${name}.pack`))
    this.#indexPath = join(folder, `${name}.idx`)
  }

  /** Opens its files now, so that missing files are found before the first read. Throws ENOENT. */
  open(): void {
    void this.#index
    void this.#file.size
  }

  /** Returns the offset of the object in this pack; undefined if it is not in it. `key` is its oid in binary. */
  find(key: Buffer): number | undefined {
    return this.#index.offsetOf(key)
  }

  /** Reads the object at an offset. `readBase` finds the base of a delta by id. */
  read(offset: number, readBase: (oid: Oid) => GitObject): GitObject {
    const chain: { at: number; delta: Buffer }[] = []
    let at = offset
    let object = this.#bases.get(at)
    while (object === undefined) {
      const entry = this.#entryAt(at)
      this.#budget?.spend(entry.size + LINK_BYTES)
      if (!isDelta(entry)) {
        object = { type: this.#typeOf(entry), content: this.#inflate(entry, at) }
        if (chain.length > 0) this.#bases.set(at, object)
        break
      }
      if (chain.push({ at, delta: this.#inflate(entry, at) }) > MAX_CHAIN_DELTAS)
        throw this.#corrupt('a chain has no end')
      at = entry.base ?? at
      object = entry.base === undefined ? readBase(entry.baseOid ?? '') : this.#bases.get(at)
    }
    for (const link of chain.toReversed()) {
      refuseHuge(this.name, readDeltaSize(link.delta))
      this.#budget?.spend(readDeltaSize(link.delta))
      object = { type: object.type, content: applyDelta(object.content, link.delta) }
      this.#bases.set(link.at, object)
    }
    return object
  }

  isDelta(offset: number): boolean {
    return isDelta(this.#entryAt(offset))
  }

  /** Reads type and size, without inflating more than the start of a delta. */
  readHeader(offset: number, readBase: (oid: Oid) => ObjectHeader): ObjectHeader {
    const first = this.#entryAt(offset)
    const size = isDelta(first) ? readDeltaSize(this.#inflateStart(first, offset)) : first.size
    let entry = first
    for (let links = 0; entry.base !== undefined; links++) {
      if (links > MAX_CHAIN_DELTAS) throw this.#corrupt('a chain of deltas has no end')
      entry = this.#entryAt(entry.base)
    }
    if (entry.baseOid !== undefined) return { type: readBase(entry.baseOid).type, size }
    return { type: this.#typeOf(entry), size }
  }

  /** Reads up to `length` bytes of a blob from `start` on; undefined for a blob that is not stored uncompressed. */
  readStored(offset: number, start: number, length: number): Buffer | undefined {
    const { type, size, data } = this.#entryAt(offset)
    if (TYPES[type] !== 'blob') return undefined
    return readStored((at, bytes) => this.#file.read(data + at, bytes), size, start, length)
  }

  /** Closes the files; a later read opens them again. */
  close(): void {
    this.#file.close()
    this.#opened?.close()
  }

  #typeOf(entry: Entry): ObjectType {
    const type = TYPES[entry.type]
    if (type === undefined) throw this.#corrupt(`an entry has the type ${entry.type}`)
    return type
  }

  #entryAt(offset: number): Entry {
    const entry = this.#parseEntry(offset)
    if (canHold(this.#file.size - entry.data, entry.size)) return entry
    throw this.#corrupt(`the entry at ${offset} claims more bytes than the pack can hold`)
  }

  #parseEntry(offset: number): Entry {
    const bytes = this.#file.read(offset, HEADER_BYTES)
    let at = 0
    let byte = bytes[at++] ?? 0
    const type = (byte >> 4) & 7
    let size = byte & 15
    for (let scale = 16; byte & 0x80; scale *= 128) {
      byte = bytes[at++] ?? 0
      size += (byte & 0x7f) * scale
    }
    if (type === REF_DELTA) {
      return { type, size, data: offset + at + 20, base: undefined, baseOid: bytes.toString('hex', at, at + 20) }
    }
    if (type !== OFS_DELTA) return { type, size, data: offset + at, base: undefined, baseOid: undefined }
    byte = bytes[at++] ?? 0
    let back = byte & 0x7f
    while (byte & 0x80) {
      byte = bytes[at++] ?? 0
      back = (back + 1) * 128 + (byte & 0x7f)
    }
    if (back <= 0 || back > offset) throw this.#corrupt('a delta points outside the pack')
    return { type, size, data: offset + at, base: offset - back, baseOid: undefined }
  }

  #inflateStart({ data }: Entry, offset: number): Buffer {
    try {
      return inflateStart(this.#file.read(data, START_BYTES))
    } catch (error) {
      throw this.#corrupt(`the entry at ${offset} cannot be inflated (${String(error)})`)
    }
  }

  #inflate({ data, size }: Entry, offset: number): Buffer {
    refuseHuge(`${this.name}, entry at ${offset}`, size)
    const most = Math.min(mostCompressed(size), this.#file.size - TRAILER_BYTES - data)
    let content: Buffer
    try {
      content = inflateAtMost(size, this.#file.read(data, most))
    } catch (error) {
      throw this.#corrupt(`the entry at ${offset} cannot be inflated (${String(error)})`)
    }
    if (content.length !== size) throw this.#corrupt(`the entry at ${offset} has ${content.length} bytes, not ${size}`)
    return content
  }

  get #index(): PackIndex {
    if (this.#opened !== undefined) return this.#opened
    this.#budget?.spend(INDEX_BYTES)
    return (this.#opened = new PackIndex(this.#indexPath))
  }

  #corrupt(reason: string): ObjectCorrupt {
    return new ObjectCorrupt(this.name, reason)
  }
}

/** Returns the most bytes that any encoder makes of `size` (zlib: deflateBound). */
function mostCompressed(size: number): number {
  return size + Math.ceil(size / 8) + Math.ceil(size / 64) + 16
}
