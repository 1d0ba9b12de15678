// Objects in memory. All repositories that a thread reads share one bound of bytes, so that a thousand open repositories
// cost no more than one.

import { totalmem } from 'node:os'
import { LRUCache } from 'lru-cache'
import type { GitObject } from '../objects/object.js'

/** The memory of the machine, or of the control group where one limits it. */
const MEMORY_BYTES = Math.min(totalmem(), process.constrainedMemory() || totalmem())
/** For each thread. */
const SHARED_BYTES = Math.min(32 * 1024 * 1024, Math.floor(MEMORY_BYTES / 32))
/** The cost of an entry beside its content: its key, its node, its Buffer. */
const ENTRY_OVERHEAD_BYTES = 256

let shared = makeCache(SHARED_BYTES)
let keepsBlobs = true
let made = 0

/** For a thread that reads each blob once: of blobs, only bases of deltas are kept. Call it before the thread opens a repository. */
export function keepFewObjects(bytes: number): void {
  shared = makeCache(Math.min(bytes, SHARED_BYTES))
  keepsBlobs = false
}

export class ObjectCache {
  readonly #objects: LRUCache<string, GitObject>
  /** Keeps repositories apart: an object that one of them lacks must not be found in another. */
  readonly #prefix = `${++made}/`

  /** A cache of its own where a bound is given, otherwise a part of the thread's. */
  constructor(bytes?: number) {
    this.#objects = bytes === undefined ? shared : makeCache(bytes)
  }

  get(key: string | number): GitObject | undefined {
    return this.#objects.get(this.#prefix + key)
  }

  /** An object that may be read again. */
  setRead(key: string, object: GitObject): void {
    if (keepsBlobs || object.type !== 'blob') this.set(key, object)
  }

  set(key: string | number, object: GitObject): void {
    this.#objects.set(this.#prefix + key, object)
  }
}

function makeCache(bytes: number): LRUCache<string, GitObject> {
  return new LRUCache({ maxSize: bytes, sizeCalculation: ({ content }) => content.length + ENTRY_OVERHEAD_BYTES })
}
