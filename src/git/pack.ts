// One pack, read by offset: an object costs its own bytes, never the pack's (gitformat-pack).

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { applyDelta, readDeltaSize } from './delta.js'
import { ObjectCorrupt } from './errors.js'
import type { GitObject, ObjectType } from './object.js'
import type { Oid } from './oid.js'
import { PackIndex } from './pack-index.js'

const TYPES: Record<number, ObjectType> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }
const OFS_DELTA = 6
const REF_DELTA = 7
/** Longest entry header: type and size, then an offset or an oid. */
const HEADER_BYTES = 32
const TRAILER_BYTES = 20
/** git itself makes chains of 50 by default and 4,095 at most. */
const MAX_CHAIN = 4096

/** An entry's header. */
interface Entry {
  type: number
  /** Bytes inflated: of the object, or of its delta. */
  size: number
  /** Where the compressed bytes start. */
  data: number
  /** Where the base of a delta starts, in this pack. */
  base: number | undefined
  /** The base of a delta by its id, wherever it is. */
  baseOid: Oid | undefined
}

export class Pack {
  readonly #path: string
  readonly #index: PackIndex
  #fd: number | undefined
  #size = 0

  /** `path` without its ending. */
  constructor(path: string) {
    this.#path = path
    this.#index = new PackIndex(`${path}.idx`)
  }

  /** Where the object starts in this pack; undefined when it is not in it. */
  find(oid: Oid): number | undefined {
    return this.#index.offsetOf(oid)
  }

  /** The object at an offset. `readBase` finds the base of a delta by id. */
  read(offset: number, readBase: (oid: Oid) => GitObject): GitObject {
    const deltas: Buffer[] = []
    let entry = this.#entryAt(offset)
    let at = offset
    while (entry.base !== undefined) {
      if (deltas.push(this.#inflate(entry, at)) > MAX_CHAIN) throw this.#corrupt('a chain of deltas has no end')
      at = entry.base
      entry = this.#entryAt(at)
    }
    if (entry.baseOid !== undefined) deltas.push(this.#inflate(entry, at))
    let { type, content } = entry.baseOid === undefined ? this.#readWhole(entry, at) : readBase(entry.baseOid)
    for (const delta of deltas.toReversed()) content = applyDelta(content, delta)
    return { type, content }
  }

  /** Type and size, without inflating more than the start of a delta. */
  readHeader(offset: number, readBase: (oid: Oid) => { type: ObjectType }): { type: ObjectType; size: number } {
    const first = this.#entryAt(offset)
    const isDelta = first.base !== undefined || first.baseOid !== undefined
    const size = isDelta ? readDeltaSize(this.#inflate(first, offset)) : first.size
    let entry = first
    for (let links = 0; entry.base !== undefined; links++) {
      if (links > MAX_CHAIN) throw this.#corrupt('a chain of deltas has no end')
      entry = this.#entryAt(entry.base)
    }
    if (entry.baseOid !== undefined) return { type: readBase(entry.baseOid).type, size }
    return { type: this.#typeOf(entry), size }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  #readWhole(entry: Entry, offset: number): GitObject {
    return { type: this.#typeOf(entry), content: this.#inflate(entry, offset) }
  }

  #typeOf(entry: Entry): ObjectType {
    const type = TYPES[entry.type]
    if (type === undefined) throw this.#corrupt(`an entry has the type ${entry.type}`)
    return type
  }

  #entryAt(offset: number): Entry {
    const bytes = this.#bytes(offset, HEADER_BYTES)
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

  #inflate({ data, size }: Entry, offset: number): Buffer {
    const end = this.#index.nextOffset(offset) ?? this.#packSize() - TRAILER_BYTES
    let content: Buffer
    try {
      content = inflateSync(this.#bytes(data, end - data), { maxOutputLength: Math.max(size, 1) })
    } catch (error) {
      throw this.#corrupt(`the entry at ${offset} cannot be inflated (${String(error)})`)
    }
    if (content.length !== size) throw this.#corrupt(`the entry at ${offset} has ${content.length} bytes, not ${size}`)
    return content
  }

  #bytes(offset: number, length: number): Buffer {
    const wanted = Math.max(0, Math.min(length, this.#packSize() - offset))
    const bytes = Buffer.allocUnsafe(wanted)
    for (let done = 0; done < wanted; ) {
      const read = readSync(this.#open(), bytes, done, wanted - done, offset + done)
      if (read === 0) throw this.#corrupt('it is cut short')
      done += read
    }
    return bytes
  }

  #open(): number {
    if (this.#fd === undefined) {
      this.#fd = openSync(`${this.#path}.pack`, 'r')
      this.#size = fstatSync(this.#fd).size
    }
    return this.#fd
  }

  #packSize(): number {
    this.#open()
    return this.#size
  }

  #corrupt(reason: string): ObjectCorrupt {
    return new ObjectCorrupt(`the pack ${this.#path.slice(this.#path.lastIndexOf('/') + 1)}`, reason)
  }
}
