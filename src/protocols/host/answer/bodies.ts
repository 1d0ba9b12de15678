// Caches the bytes of representations by site and entity tag. The bytes of a tag never change, so no entry goes stale.

import { LRUCache } from 'lru-cache'
import type { Coding } from '../../http/accept-encoding.js'
import { compress } from '../../http/compression.js'
import { entityTagOf } from '../../http/entity-tag.js'
import { ServiceError } from '../../../model/errors.js'
import type { HeldBodies, Hold } from './held-bodies.js'

/** Estimated memory of a cached body without its bytes: key, entry, Buffer. */
const ENTRY_OVERHEAD_BYTES = 256
/** Above this many, visitors get identity instead of waiting. Each of zlib's four threads then has a second one queued. */
const MAX_COMPRESSIONS = 8
/** Cached instead of a coding that saves nothing. */
const NOTHING_SAVED = Buffer.alloc(0)

export interface Blob {
  siteId: string
  oid: string
  /** In bytes, read from the object's header. */
  size: number
  /** The bytes as they are stored. Rejects with `site_unreadable` and `site_busy`. */
  read(): Promise<Buffer>
}

export type Compression = Exclude<Coding, 'identity'>

export type Encoded = Buffer | 'not-smaller' | 'busy'

/** Returns the cache key of a body. Sites share no bodies: a SHA-1 collision must not show one site the bytes of another. */
export function bodyKeyOf(siteId: string, tag: string): string {
  return siteId + tag
}

export class Bodies {
  readonly #cached: LRUCache<string, Buffer>
  readonly #underWay = new Map<string, Promise<Encoded>>()
  readonly #reads = new Map<string, Promise<Buffer>>()
  /** Size in bytes of the largest cached body. A larger body is not compressed, since each request would compress it again. */
  readonly largestKept: number
  readonly #held: HeldBodies

  constructor(cacheBytes: number, held: HeldBodies) {
    this.#held = held
    this.largestKept = Math.floor(cacheBytes / 8)
    this.#cached = new LRUCache({
      // The cache does not accept a limit of 0; nothing fits into 1 byte.
      maxSize: Math.max(cacheBytes, 1),
      maxEntrySize: this.largestKept + ENTRY_OVERHEAD_BYTES,
      sizeCalculation: (body) => body.length + ENTRY_OVERHEAD_BYTES,
    })
  }

  /** `key` comes from `bodyKeyOf`. An empty Buffer stands for an empty body, or for a coding that saves nothing. */
  get(key: string): Buffer | undefined {
    return this.#cached.get(key)
  }

  /** Holds the blob's own bytes for visitors at an address; returns undefined if too much is held for others. */
  hold(blob: Blob, address: string): Hold | undefined {
    return this.#held.hold(keyOf(blob, 'identity'), blob.size, address, () => this.#read(blob))
  }

  /** Like `hold`, but waits for room; resolves to undefined if there is none in time. */
  holdSoon(blob: Blob, address: string): Promise<Hold | undefined> {
    return this.#held.holdSoon(keyOf(blob, 'identity'), blob.size, address, () => this.#read(blob))
  }

  /** Like `hold`, for a coding of the blob. */
  holdEncoded(blob: Blob, coding: Compression, encoded: Buffer, address: string): Hold | undefined {
    return this.#held.hold(keyOf(blob, coding), encoded.length, address, async () => encoded)
  }

  /** Reads the blob once for all concurrent callers. */
  async #read(blob: Blob): Promise<Buffer> {
    const key = keyOf(blob, 'identity')
    const known = this.get(key)
    if (known !== undefined) return known
    const joined = this.#reads.get(key)
    if (joined !== undefined) return joined
    const read = readWhole(blob).finally(() => this.#reads.delete(key))
    this.#reads.set(key, read)
    const body = await read
    this.#cached.set(key, body)
    return body
  }

  /**
   * Encodes the blob, once for all concurrent callers. Resolves to `busy` if there is no room for its bytes, or if `mayDecline` is true and
   * too many compressions are running.
   */
  async encode(blob: Blob, coding: Compression, address: string, mayDecline: boolean): Promise<Encoded> {
    const key = keyOf(blob, coding)
    const known = this.get(key)
    if (known !== undefined) return known.length === 0 ? 'not-smaller' : known
    const joined = this.#underWay.get(key)
    if (joined !== undefined) return joined
    if (mayDecline && this.#underWay.size >= MAX_COMPRESSIONS) return 'busy'
    const made = this.#make(blob, coding, address).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, made)
    return made
  }

  async #make(blob: Blob, coding: Compression, address: string): Promise<Encoded> {
    const hold = this.hold(blob, address)
    if (hold === undefined) return 'busy'
    try {
      const body = await hold.body
      const encoded = await compress(body, coding)
      const saves = encoded.length < body.length
      this.#cached.set(keyOf(blob, coding), saves ? encoded : NOTHING_SAVED)
      return saves ? encoded : 'not-smaller'
    } finally {
      hold.release()
    }
  }
}

/** Throws `site_unreadable` if the size differs from the blob's: fields already sent state that size. */
async function readWhole(blob: Blob): Promise<Buffer> {
  const body = await blob.read()
  if (body.length === blob.size) return body
  throw new ServiceError('site_unreadable', `A file has ${body.length} bytes instead of ${blob.size}.`)
}

function keyOf({ siteId, oid }: Pick<Blob, 'siteId' | 'oid'>, coding: Coding): string {
  return bodyKeyOf(siteId, entityTagOf(oid, coding))
}
