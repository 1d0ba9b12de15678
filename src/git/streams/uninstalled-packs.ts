// Reads packs that are not installed in a repository yet as if they were: their objects come before those of the repository.

import { basename, dirname } from 'node:path'
import { checkObject, type GitObject } from '../objects/object.js'
import type { Oid } from '../objects/oid.js'
import type { ObjectHeader } from '../storage/loose.js'
import { type BlobSpan, ObjectReader } from '../storage/object-reader.js'
import { Pack } from '../storage/pack.js'

export class UninstalledPacks extends ObjectReader {
  readonly #repository: ObjectReader
  #packs: readonly Pack[]

  /** `paths` are files without their endings. No file is opened before it is read. */
  constructor(repository: ObjectReader, paths: readonly string[] = []) {
    super()
    this.#repository = repository
    this.#packs = paths.map(packAt)
  }

  /** Opens more packs, and returns a function that removes them again. If one is gone, throws ENOENT and adds none. */
  add(paths: readonly string[]): () => void {
    const added = paths.map(packAt)
    for (const pack of added) pack.open()
    this.#packs = [...this.#packs, ...added]
    return () => {
      this.#packs = this.#packs.filter((pack) => !added.includes(pack))
      for (const pack of added) pack.close()
    }
  }

  /** Removes all packs. */
  clear(): void {
    for (const pack of this.#packs) pack.close()
    this.#packs = []
  }

  override read(oid: Oid): GitObject {
    const object = this.#find(oid, (pack, offset) => pack.read(offset, (base) => this.read(base)))
    return object === undefined ? this.#repository.read(oid) : checkObject(oid, object)
  }

  override readHeader(oid: Oid): ObjectHeader {
    const header = this.#find(oid, (pack, offset) => pack.readHeader(offset, (base) => this.readHeader(base)))
    return header ?? this.#repository.readHeader(oid)
  }

  override storedAs(oid: Oid): 'whole' | 'delta' | 'draft' {
    return this.#find(oid, () => 'draft' as const) ?? this.#repository.storedAs(oid)
  }

  override readStored(oid: Oid, start: number, length: number): Buffer | undefined {
    return this.#find(oid, () => true) === true ? undefined : this.#repository.readStored(oid, start, length)
  }

  override async *readLargeBlob(oid: Oid, span?: BlobSpan): AsyncGenerator<Buffer> {
    const isHere = this.#find(oid, () => true) === true
    if (isHere) yield this.readBlob(oid).subarray(span?.start, span?.end)
    else yield* this.#repository.readLargeBlob(oid, span)
  }

  #find<T>(oid: Oid, read: (pack: Pack, offset: number) => T): T | undefined {
    if (this.#packs.length === 0) return undefined
    const key = Buffer.from(oid, 'hex')
    for (const pack of this.#packs) {
      const offset = pack.find(key)
      if (offset !== undefined) return read(pack, offset)
    }
    return undefined
  }
}

function packAt(path: string): Pack {
  return new Pack(dirname(path), basename(path))
}
