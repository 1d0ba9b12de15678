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
  /** Waited for, once for all who want the same body. */
  readonly #room = new Map<string, Promise<boolean>>()

  constructor(maxBytes: number) {
    this.#budget = new ByteBudget(maxBytes)
  }

  /**
   * The body of that key, which has so many bytes, read unless it is held already. Undefined where there is no room: the visitors at
   * one address may have no more than they leave to others.
   */
  hold(key: string, bytes: number, address: string, read: () => Promise<Buffer>): Hold | undefined {
    if (bytes < MIN_HELD_BYTES) return { body: read(), release: () => undefined }
    if (!this.#held.has(key) && !this.#budget.take(address, bytes)) return undefined
    return this.#holdOf(key, this.#held.get(key) ?? this.#add(key, bytes, address, read))
  }

  /** The same once there is room; undefined where there is none in time, or where 32 of the address wait already. */
  async holdWithin(
    milliseconds: number,
    ...[key, bytes, address, read]: Parameters<HeldBodies['hold']>
  ): Promise<Hold | undefined> {
    const hold = this.hold(key, bytes, address, read)
    if (hold !== undefined) return hold
    const room = this.#room.get(key) ?? this.#roomFor(key, bytes, address, milliseconds)
    this.#room.set(key, room)
    if (!(await room)) return undefined
    return this.#holdOf(key, this.#held.get(key) ?? this.#add(key, bytes, address, read))
  }

  /** Whether there was room in time: the bytes are taken then, unless somebody else has come to hold the body. */
  async #roomFor(key: string, bytes: number, address: string, milliseconds: number): Promise<boolean> {
    const isTaken = await this.#budget.takeWithin(milliseconds, address, bytes)
    this.#room.delete(key)
    if (isTaken && this.#held.has(key)) this.#budget.give(address, bytes)
    return isTaken
  }

  /** Their bytes have been taken from the budget. */
  #add(key: string, bytes: number, address: string, read: () => Promise<Buffer>): Held {
    const held = { body: read(), bytes, address, holds: 0 }
    this.#held.set(key, held)
    return held
  }

  #holdOf(key: string, held: Held): Hold {
    held.holds += 1
    return { body: held.body, release: () => this.#release(key, held) }
  }

  #release(key: string, held: Held): void {
    held.holds -= 1
    if (held.holds > 0) return
    this.#held.delete(key)
    this.#budget.give(held.address, held.bytes)
  }
}
