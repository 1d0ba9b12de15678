// Objects by their ids, wherever they are kept.

import { type Commit, parseCommit } from '../objects/commit.js'
import { ObjectCorrupt, ObjectMissing } from '../objects/errors.js'
import type { GitObject, ObjectType } from '../objects/object.js'
import type { Oid } from '../objects/oid.js'
import type { ObjectHeader } from './loose.js'

/** Bytes from `start` to `end` (exclusive). */
export interface BlobSpan {
  start: number
  end: number
}

/** Reading on a thread that has other things to do: in small steps, and nothing large. */
export interface ReadPace {
  /**
   * Called before each step of a read, which inflates and hashes `bytes`. May throw: then the read is given up, and finds
   * again what it has found. Throws LargeRead where the step is too long for this thread whenever it is done.
   */
  before(bytes: number): void
  /** Called as a step turns out to take so many bytes in all. Throws LargeRead where that is too long. */
  within(bytes: number): void
  /** What `work` returns, begun again each time that it was given up. Who waits does so among others of the same owner. */
  untilDone<T>(owner: string, work: () => T): Promise<T>
}

/** The object is for another thread to read. */
export class LargeRead extends Error {}

export const UNPACED: ReadPace = {
  before: () => undefined,
  within: () => undefined,
  untilDone: async (_owner, work) => work(),
}

/** Every method throws ObjectMissing or ObjectCorrupt. Content is shared: never write to it. */
export abstract class ObjectReader {
  abstract read(oid: Oid): GitObject

  /** Type and size, without reading the whole object where its storage allows that. */
  abstract readHeader(oid: Oid): ObjectHeader

  /** Whether git stores the object as a delta on another one, and so puts it together in memory when it prints it. */
  isDelta(_oid: Oid): boolean {
    return false
  }

  /** The bytes of a blob too large for memory, or a span of them, checked before the first of them. */
  abstract readLargeBlob(oid: Oid, span?: BlobSpan): AsyncGenerator<Buffer>

  /** A blob's bytes, read wherever that holds up nobody. */
  async loadBlob(oid: Oid): Promise<Buffer> {
    return this.readBlob(oid)
  }

  has(oid: Oid): boolean {
    try {
      this.readHeader(oid)
      return true
    } catch (error) {
      if (error instanceof ObjectMissing) return false
      throw error
    }
  }

  /** Whether there is a copy of the object, of which nothing is read where its storage allows that. */
  isStored(oid: Oid): boolean {
    return this.has(oid)
  }

  readCommit(oid: Oid): Commit {
    return parseCommit(this.#readTyped(oid, 'commit'))
  }

  /** A tree's raw bytes. */
  readTree(oid: Oid): Buffer {
    return this.#readTyped(oid, 'tree')
  }

  readBlob(oid: Oid): Buffer {
    return this.#readTyped(oid, 'blob')
  }

  /** Undefined for a longer blob, of which nothing is read. */
  readBlobWithin(oid: Oid, maxBytes: number): Buffer | undefined {
    return this.readHeader(oid).size <= maxBytes ? this.readBlob(oid) : undefined
  }

  #readTyped(oid: Oid, type: ObjectType): Buffer {
    const object = this.read(oid)
    if (object.type !== type) throw new ObjectCorrupt(`object ${oid}`, `it is a ${object.type}, not a ${type}`, oid)
    return object.content
  }
}
