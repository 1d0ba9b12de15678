// Bodies that are in memory until their visitors have taken them, or until they are compressed: each once, however many wait for it,
// and all of them within a bound. Without it, visitors who read nothing decide how much memory the process takes.

import { ByteBudget } from '../../model/byte-budget.js'

/** Shorter bodies are not counted: they are mostly in the buffers of the connection. */
export const MIN_HELD_BYTES = 256 * 1024

export interface Hold {
  readonly body: Promise<Buffer>
  /** Says, once, that it is no longer needed. */
  readonly release: () => void
}

interface Held {
  body: Promise<Buffer>
  bytes: number
  /** Whose share of the bound it takes. */
  address: string
  holds: number
}

export class HeldBodies {
  readonly #budget: ByteBudget
  readonly #held = new Map<string, Held>()

  constructor(maxBytes: number) {
    this.#budget = new ByteBudget(maxBytes)
  }

  /**
   * The body of that key, which has so many bytes, read unless it is held already. Undefined where there is no room: the visitors at
   * one address may have no more than they leave to others.
   */
  hold(key: string, bytes: number, address: string, read: () => Promise<Buffer>): Hold | undefined {
    if (bytes < MIN_HELD_BYTES) return { body: read(), release: () => undefined }
    const held = this.#held.get(key) ?? this.#add(key, bytes, address, read)
    if (held === undefined) return undefined
    held.holds += 1
    return { body: held.body, release: () => this.#release(key, held) }
  }

  #add(key: string, bytes: number, address: string, read: () => Promise<Buffer>): Held | undefined {
    if (!this.#budget.take(address, bytes)) return undefined
    const held = { body: read(), bytes, address, holds: 0 }
    this.#held.set(key, held)
    return held
  }

  #release(key: string, held: Held): void {
    held.holds -= 1
    if (held.holds > 0) return
    this.#held.delete(key)
    this.#budget.give(held.address, held.bytes)
  }
}
