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

/** Bounds the work of reading: a hostile chain of deltas can make one object take minutes. */
export interface ReadBudget {
  /** Called before so many bytes are inflated and hashed, or built from a delta. It may throw: then the read ends. */
  spend(bytes: number): void
}

/** Reads objects. Every method throws ObjectMissing or ObjectCorrupt. Content is shared: never write to it. */
export abstract class ObjectReader {
  abstract read(oid: Oid): GitObject

  /** Drops an object from memory that will hardly be read again. */
  forget(_oid: Oid): void {
    // Not every storage keeps objects in memory.
  }

  /** Reads type and size, without the whole object if the storage allows that. */
  abstract readHeader(oid: Oid): ObjectHeader

  /** Tells how the object is stored. git builds a `delta` in memory to print it, and cannot see what belongs to a `draft`. */
  storedAs(_oid: Oid): 'whole' | 'delta' | 'draft' {
    return 'whole'
  }

  /** Reads up to `length` bytes of a blob from `start` on; undefined for a blob that is not stored uncompressed. */
  readStored(_oid: Oid, _start: number, _length: number): Buffer | undefined {
    return undefined
  }

  /** Yields the bytes of a blob too large for memory, or a span of them, checked before the first byte. */
  abstract readLargeBlob(oid: Oid, span?: BlobSpan): AsyncGenerator<Buffer>

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
