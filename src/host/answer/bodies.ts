// Caches the bytes of representations by site and entity tag: the bytes of a tag never change, so nothing here is stale.

import { LRUCache } from 'lru-cache'
import type { Coding } from '../../http/accept-encoding.js'
import { compress } from '../../http/compression.js'
import { entityTagOf } from '../../http/entity-tag.js'
import { ServiceError } from '../../model/errors.js'
import type { HeldBodies, Hold } from './held-bodies.js'

/** The memory of a cached body besides its bytes: key, entry, Buffer. */
const ENTRY_OVERHEAD_BYTES = 256
/** With more running, visitors get identity instead of waiting: each of zlib's four threads has a second one queued. */
const MAX_COMPRESSIONS = 8
/** Cached in place of a coding that saves nothing. */
const NOTHING_SAVED = Buffer.alloc(0)

export interface Blob {
  siteId: string
  oid: string
  /** In bytes, as the repository's index has it. */
  size: number
  /** The bytes as they are stored. Rejects with `site_unreadable` and `site_busy`. */
  read(): Promise<Buffer>
}

export type Compression = Exclude<Coding, 'identity'>

export type Encoded = Buffer | 'not-smaller' | 'busy'

/** Sites share no bodies, so that no site can answer with the bytes of another (SHA-1 collisions). */
export function bodyKeyOf(siteId: string, tag: string): string {
  return siteId + tag
}

export class Bodies {
  readonly #cached: LRUCache<string, Buffer>
  readonly #underWay = new Map<string, Promise<Encoded>>()
  readonly #reads = new Map<string, Promise<Buffer>>()
  /** Bytes of the largest body that is cached; a larger one is not compressed, because that would happen on each request. */
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

  /** `key` is one of `bodyKeyOf`. An empty Buffer stands for an empty body, or for a coding that saves nothing. */
  get(key: string): Buffer | undefined {
    return this.#cached.get(key)
  }

  /** The blob's own bytes, for visitors at an address to take; undefined where too much is held for others. */
  hold(blob: Blob, address: string): Hold | undefined {
    return this.#held.hold(keyOf(blob, 'identity'), blob.size, address, () => this.#read(blob))
  }

  /** The same once there is room; undefined where there is none in time. */
  holdWithin(milliseconds: number, blob: Blob, address: string): Promise<Hold | undefined> {
    return this.#held.holdWithin(milliseconds, keyOf(blob, 'identity'), blob.size, address, () => this.#read(blob))
  }

  /** `hold` for a coding of it. */
  holdEncoded(blob: Blob, coding: Compression, encoded: Buffer, address: string): Hold | undefined {
    return this.#held.hold(keyOf(blob, coding), encoded.length, address, async () => encoded)
  }

  /** Read once for all who ask at the same time. */
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
   * The blob in a coding, made once for all who ask at the same time; `busy` where there is no room for its bytes, and where `mayDecline` and
   * too many are being made.
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

/** Throws `site_unreadable` where the size is another one: fields that were sent before hold it. */
async function readWhole(blob: Blob): Promise<Buffer> {
  const body = await blob.read()
  if (body.length === blob.size) return body
  throw new ServiceError('site_unreadable', `A file has ${body.length} bytes instead of ${blob.size}.`)
}

function keyOf({ siteId, oid }: Pick<Blob, 'siteId' | 'oid'>, coding: Coding): string {
  return bodyKeyOf(siteId, entityTagOf(oid, coding))
}
