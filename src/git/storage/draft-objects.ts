// Objects in memory in front of those of a repository: a commit that is built but not stored can be read like any other.

import type { GitObject, NewObject } from '../objects/object.js'
import type { Oid } from '../objects/oid.js'
import type { ObjectHeader } from './loose.js'
import { type BlobSpan, ObjectReader } from './object-reader.js'

export class DraftObjects extends ObjectReader {
  readonly #base: ObjectReader
  readonly #own: ReadonlyMap<Oid, GitObject>

  constructor(base: ObjectReader, objects: readonly NewObject[]) {
    super()
    this.#base = base
    this.#own = new Map(objects.map((object) => [object.oid, object]))
  }

  override read(oid: Oid): GitObject {
    return this.#own.get(oid) ?? this.#base.read(oid)
  }

  override readHeader(oid: Oid): ObjectHeader {
    const own = this.#own.get(oid)
    return own === undefined ? this.#base.readHeader(oid) : { type: own.type, size: own.content.length }
  }

  override storedAs(oid: Oid): 'whole' | 'delta' | 'draft' {
    return this.#own.has(oid) ? 'draft' : this.#base.storedAs(oid)
  }

  override readStored(oid: Oid, start: number, length: number): Buffer | undefined {
    return this.#own.has(oid) ? undefined : this.#base.readStored(oid, start, length)
  }

  override async *readLargeBlob(oid: Oid, span?: BlobSpan): AsyncGenerator<Buffer> {
    if (this.#own.has(oid)) yield this.readBlob(oid).subarray(span?.start, span?.end)
    else yield* this.#base.readLargeBlob(oid, span)
  }
}
