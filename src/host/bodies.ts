// The bytes of representations, kept in memory by entity tag: what a tag stands for never changes, so nothing here is stale.

import { LRUCache } from 'lru-cache'
import type { Coding } from './accept-encoding.js'
import { compress } from './compression.js'
import { entityTagOf } from './entity-tag.js'

/** What a kept body costs beside its bytes: its key, its entry, its Buffer. */
const ENTRY_OVERHEAD_BYTES = 256
/** Past this many the next visitors get identity rather than wait: each of zlib's four threads has as much again to do. */
const MOST_COMPRESSIONS = 8
/** Bytes up to which a body is kept as a string, too: node sends it and the fields in one piece, for which it needs less time. */
const LONGEST_TEXT = 8 * 1024
/** Strings lie in the heap of the engine, which has a bound of its own: of the configured bytes, and at most. */
const TEXT_SHARE = 1 / 8
const MOST_TEXT_BYTES = 64 * 1024 * 1024
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
  /** Small bodies that were asked for again, a character for each byte. */
  readonly #texts: LRUCache<string, string>
  readonly #underWay = new Map<string, Promise<Encoded>>()
  /** Bytes of the largest body that is kept; a larger one is not worth compressing, because it would be each time. */
  readonly largestKept: number

  constructor(cacheBytes: number) {
    this.largestKept = Math.floor(cacheBytes / 8)
    const textBytes = Math.min(Math.floor(cacheBytes * TEXT_SHARE), MOST_TEXT_BYTES)
    // The cache takes no bound of 0; in a single byte nothing fits.
    this.#texts = new LRUCache({ maxSize: Math.max(textBytes, 1), sizeCalculation: (text) => sizeOf(text) })
    this.#kept = new LRUCache({
      maxSize: Math.max(cacheBytes - textBytes, 1),
      maxEntrySize: Math.max(this.largestKept + ENTRY_OVERHEAD_BYTES, 1),
      sizeCalculation: (body) => sizeOf(body),
    })
  }

  /** What is kept under a tag, as Latin-1 where it is a string: empty for what is empty, or not sent in this coding. */
  get(tag: string): Buffer | string | undefined {
    const text = this.#texts.get(tag)
    if (text !== undefined) return text
    const body = this.#kept.get(tag)
    if (body !== undefined && body.length <= LONGEST_TEXT) this.#texts.set(tag, body.toString('latin1'))
    return body
  }

  /** The blob as it is stored. */
  read(blob: Blob): Buffer {
    const tag = entityTagOf(blob.oid, 'identity')
    const known = this.#bytesOf(tag)
    if (known !== undefined) return known
    const body = blob.read()
    this.#kept.set(tag, body)
    return body
  }

  /** The blob in a coding, made once however many ask; `busy` where `mayDecline` and too much is under way. */
  async encode(blob: Blob, coding: Exclude<Coding, 'identity'>, mayDecline: boolean): Promise<Encoded> {
    const tag = entityTagOf(blob.oid, coding)
    const known = this.#bytesOf(tag)
    if (known !== undefined) return known.length === 0 ? 'not-smaller' : known
    const joined = this.#underWay.get(tag)
    if (joined !== undefined) return joined
    if (mayDecline && this.#underWay.size >= MOST_COMPRESSIONS) return 'busy'
    const made = this.#make(blob, coding, tag).finally(() => this.#underWay.delete(tag))
    this.#underWay.set(tag, made)
    return made
  }

  #bytesOf(tag: string): Buffer | undefined {
    const body = this.get(tag)
    return typeof body === 'string' ? Buffer.from(body, 'latin1') : body
  }

  async #make(blob: Blob, coding: Exclude<Coding, 'identity'>, tag: string): Promise<Encoded> {
    const body = this.read(blob)
    const encoded = await compress(body, coding)
    const saves = encoded.length < body.length
    this.#kept.set(tag, saves ? encoded : NOTHING_SAVED)
    return saves ? encoded : 'not-smaller'
  }
}

function sizeOf({ length }: Buffer | string): number {
  return length + ENTRY_OVERHEAD_BYTES
}
