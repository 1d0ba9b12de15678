// Reads objects by their ids from any storage.

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

/** Pace of reading on a thread with other work: in small steps, and nothing large. */
export interface ReadPace {
  /**
   * Called before each step of a read, which inflates and hashes `bytes`. May throw: then the read is given up, and a later one
   * finds again what this one found. Throws LargeRead if the step is too long for this thread at any time.
   */
  before(bytes: number): void
  /** Called when a step turns out to take that many bytes in all. Throws LargeRead if that is too long. */
  within(bytes: number): void
  /** Returns the result of `work`, which begins again each time it was given up. Waiting is fair among the calls of one owner. */
  untilDone<T>(owner: string, work: () => T): Promise<T>
}

/** Thrown if another thread must read the object. */
export class LargeRead extends Error {}

export const UNPACED: ReadPace = {
  before: () => undefined,
  within: () => undefined,
  untilDone: async (_owner, work) => work(),
}

/** Reads objects. Every method throws ObjectMissing or ObjectCorrupt. Content is shared: never write to it. */
export abstract class ObjectReader {
  abstract read(oid: Oid): GitObject

  /** Reads type and size, without the whole object if the storage allows that. */
  abstract readHeader(oid: Oid): ObjectHeader

  /** Whether git stores the object as a delta, and so builds it in memory to print it. */
  isDelta(_oid: Oid): boolean {
    return false
  }

  /** Yields the bytes of a blob too large for memory, or a span of them, checked before the first byte. */
  abstract readLargeBlob(oid: Oid, span?: BlobSpan): AsyncGenerator<Buffer>

  /** Reads a blob without blocking other work, if the storage allows that. */
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

  /** Whether there is a copy of the object. Reads nothing of it if the storage allows that. */
  isStored(oid: Oid): boolean {
    return this.has(oid)
  }

  readCommit(oid: Oid): Commit {
    return parseCommit(this.#readTyped(oid, 'commit'))
  }

  /** Reads a tree's raw bytes. */
  readTree(oid: Oid): Buffer {
    return this.#readTyped(oid, 'tree')
  }

  readBlob(oid: Oid): Buffer {
    return this.#readTyped(oid, 'blob')
  }

  /** Reads a blob; undefined without reading it if it is longer than `maxBytes`. */
  readBlobWithin(oid: Oid, maxBytes: number): Buffer | undefined {
    return this.readHeader(oid).size <= maxBytes ? this.readBlob(oid) : undefined
  }

  #readTyped(oid: Oid, type: ObjectType): Buffer {
    const object = this.read(oid)
    if (object.type !== type) throw new ObjectCorrupt(`object ${oid}`, `it is a ${object.type}, not a ${type}`, oid)
    return object.content
  }
}
