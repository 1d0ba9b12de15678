// Objects in memory. All repositories that a thread reads share one limit of bytes, so that a thousand open repositories
// cost no more than one.

import { totalmem } from 'node:os'
import { LRUCache } from 'lru-cache'
import type { GitObject } from '../objects/object.js'

/** Memory of the machine, or of the control group if one limits it. */
const MEMORY_BYTES = Math.min(totalmem(), process.constrainedMemory() || totalmem())
/** Limit for each thread. */
const SHARED_BYTES = Math.min(32 * 1024 * 1024, Math.floor(MEMORY_BYTES / 32))
/** Cost of an entry without its content: its key, its node, its Buffer. */
const ENTRY_OVERHEAD_BYTES = 256

let shared = makeCache(SHARED_BYTES)
let keepsBlobs = true
let made = 0

/** Sets up a thread that reads most blobs once: it keeps only those that are bases of deltas. Call it before opening a repository. */
export function keepFewObjects(bytes = SHARED_BYTES): void {
  shared = makeCache(Math.min(bytes, SHARED_BYTES))
  keepsBlobs = false
}

export class ObjectCache {
  readonly #objects: LRUCache<string, GitObject>
  /** Keeps repositories apart: an object missing in one must not be found in another. */
  readonly #prefix = `${++made}/`

  /** Makes its own cache if a limit is given, otherwise uses the thread's. */
  constructor(bytes?: number) {
    this.#objects = bytes === undefined ? shared : makeCache(bytes)
  }

  get(key: string | number): GitObject | undefined {
    return this.#objects.get(this.#prefix + key)
  }

  /** Adds an object that may be read again. */
  setRead(key: string, object: GitObject): void {
    if (keepsBlobs || object.type !== 'blob') this.set(key, object)
  }

  delete(key: string): void {
    this.#objects.delete(this.#prefix + key)
  }

  set(key: string | number, { type, content }: GitObject): void {
    this.#objects.set(this.#prefix + key, { type, content: onItsOwn(content) })
  }
}

/** Returns the bytes without other memory behind them: Node cuts small Buffers from pieces of 8 KiB, and each keeps its whole piece. */
function onItsOwn(content: Buffer): Buffer {
  const { buffer } = content
  if (buffer instanceof SharedArrayBuffer || buffer.byteLength <= content.length + ENTRY_OVERHEAD_BYTES) return content
  const copy = Buffer.allocUnsafeSlow(content.length)
  content.copy(copy)
  return copy
}

function makeCache(bytes: number): LRUCache<string, GitObject> {
  return new LRUCache({ maxSize: bytes, sizeCalculation: ({ content }) => content.length + ENTRY_OVERHEAD_BYTES })
}
