// Objects in memory in front of those of a repository: a commit that was built and not stored can be read like any other.

import { basename, dirname } from 'node:path'
import type { GitObject, NewObject } from '../objects/object.js'
import type { Oid } from '../objects/oid.js'
import type { ObjectHeader } from './loose.js'
import { ObjectReader } from './object-reader.js'
import { Pack } from './pack.js'

export class DraftObjects extends ObjectReader {
  readonly #base: ObjectReader
  readonly #own: ReadonlyMap<Oid, GitObject>
  readonly #packs: readonly Pack[]

  /** `packs` are files outside of the repository, without their endings. */
  constructor(base: ObjectReader, objects: readonly NewObject[], packs: readonly string[] = []) {
    super()
    this.#base = base
    this.#own = new Map(objects.map((object) => [object.oid, object]))
    this.#packs = packs.map((path) => new Pack(dirname(path), basename(path)))
  }

  override read(oid: Oid): GitObject {
    return (
      this.#own.get(oid) ??
      this.#packed(oid, (pack, offset) => pack.read(offset, (base) => this.read(base))) ??
      this.#base.read(oid)
    )
  }

  override readHeader(oid: Oid): ObjectHeader {
    const own = this.#own.get(oid)
    if (own !== undefined) return { type: own.type, size: own.content.length }
    return (
      this.#packed(oid, (pack, offset) => pack.readHeader(offset, (base) => this.readHeader(base))) ??
      this.#base.readHeader(oid)
    )
  }

  override isDelta(oid: Oid): boolean {
    if (this.#own.has(oid)) return false
    return this.#packed(oid, () => false) ?? this.#base.isDelta(oid)
  }

  override async *readLargeBlob(oid: Oid): AsyncGenerator<Buffer> {
    if (this.#own.has(oid) || this.#packed(oid, () => true) === true) yield this.read(oid).content
    else yield* this.#base.readLargeBlob(oid)
  }

  #packed<T>(oid: Oid, read: (pack: Pack, offset: number) => T): T | undefined {
    for (const pack of this.#packs) {
      const offset = pack.find(Buffer.from(oid, 'hex'))
      if (offset !== undefined) return read(pack, offset)
    }
    return undefined
  }
}
