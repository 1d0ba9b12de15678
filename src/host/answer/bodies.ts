// The bytes of representations, kept in memory by entity tag: what a tag stands for never changes, so nothing here is stale.

import { LRUCache } from 'lru-cache'
import type { Coding } from '../../http/accept-encoding.js'
import { compress } from './compression.js'
import { entityTagOf } from '../../http/entity-tag.js'

/** What a kept body costs beside its bytes: its key, its entry, its Buffer. */
const ENTRY_OVERHEAD_BYTES = 256
/** Past this many the next visitors get identity rather than wait: each of zlib's four threads has as much again to do. */
const MOST_COMPRESSIONS = 8
/** Kept in place of a coding that saves nothing. */
const NOTHING_SAVED = Buffer.alloc(0)

export interface Blob {
  oid: string
  /** The bytes as they are stored. Throws `site_unreadable`. */
  read(): Buffer
}

export type Encoded = Buffer | 'not-smaller' | 'busy'

export class Bodies {
  readonly #kept: LRUCache<string, Buffer>
  readonly #underWay = new Map<string, Promise<Encoded>>()
  /** Bytes of the largest body that is kept; a larger one is not worth compressing, because it would be each time. */
  readonly largestKept: number

  constructor(cacheBytes: number) {
    this.largestKept = Math.floor(cacheBytes / 8)
    this.#kept = new LRUCache({
      // The cache takes no bound of 0; in a single byte nothing fits.
      maxSize: Math.max(cacheBytes, 1),
      maxEntrySize: this.largestKept + ENTRY_OVERHEAD_BYTES,
      sizeCalculation: (body) => body.length + ENTRY_OVERHEAD_BYTES,
    })
  }

  /** What is kept under a tag: empty for what is empty, or not sent in this coding. */
  get(tag: string): Buffer | undefined {
    return this.#kept.get(tag)
  }

  /** The blob as it is stored. */
  read(blob: Blob): Buffer {
    const tag = entityTagOf(blob.oid, 'identity')
    const known = this.get(tag)
    if (known !== undefined) return known
    const body = blob.read()
    this.#kept.set(tag, body)
    return body
  }

  /** The blob in a coding, made once however many ask; `busy` where `mayDecline` and too much is under way. */
  async encode(blob: Blob, coding: Exclude<Coding, 'identity'>, mayDecline: boolean): Promise<Encoded> {
    const tag = entityTagOf(blob.oid, coding)
    const known = this.get(tag)
    if (known !== undefined) return known.length === 0 ? 'not-smaller' : known
    const joined = this.#underWay.get(tag)
    if (joined !== undefined) return joined
    if (mayDecline && this.#underWay.size >= MOST_COMPRESSIONS) return 'busy'
    const made = this.#make(blob, coding, tag).finally(() => this.#underWay.delete(tag))
    this.#underWay.set(tag, made)
    return made
  }

  async #make(blob: Blob, coding: Exclude<Coding, 'identity'>, tag: string): Promise<Encoded> {
    const body = this.read(blob)
    const encoded = await compress(body, coding)
    const saves = encoded.length < body.length
    this.#kept.set(tag, saves ? encoded : NOTHING_SAVED)
    return saves ? encoded : 'not-smaller'
  }
}
