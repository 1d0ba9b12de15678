// Limits the memory of bodies that visitors have not taken yet or that are being compressed. Each body is held once, however many
// requests wait for it. Without this limit, visitors who never read could make the process use any amount of memory.

import type { MemoryShare } from '../../../admission/memory-budget.js'

/** Shorter bodies are not counted: most of their bytes are in the buffers of the connection. */
export const MIN_HELD_BYTES = 256 * 1024

export interface Hold {
  readonly body: Promise<Buffer>
  /** Says that the body is no longer needed. Call it once. */
  readonly release: () => void
}

interface Held {
  body: Promise<Buffer>
  bytes: number
  /** The address whose share of the limit it uses. */
  address: string
  holds: number
}

export class HeldBodies {
  readonly #memory: MemoryShare
  readonly #held = new Map<string, Held>()
  /** Waits for room, by key: requests for the same body share one. */
  readonly #room = new Map<string, Promise<boolean>>()

  constructor(memory: MemoryShare) {
    this.#memory = memory
  }

  /**
   * Returns the body for the key, which has `bytes` bytes. Calls `read` unless the body is held already. Returns undefined if there is
   * no room: one address may use at most as much as it leaves free for others.
   */
  hold(key: string, bytes: number, address: string, read: () => Promise<Buffer>): Hold | undefined {
    if (bytes < MIN_HELD_BYTES) return { body: read(), release: () => undefined }
    if (!this.#held.has(key) && !this.#memory.take(address, bytes)) return undefined
    return this.#holdOf(key, this.#held.get(key) ?? this.#add(key, bytes, address, read))
  }

  /** Like `hold`, but waits for room; resolves to undefined if there is none in time, or if 32 of the address already wait. */
  async holdSoon(...[key, bytes, address, read]: Parameters<HeldBodies['hold']>): Promise<Hold | undefined> {
    const hold = this.hold(key, bytes, address, read)
    if (hold !== undefined) return hold
    const room = this.#room.get(key) ?? this.#roomFor(key, bytes, address)
    this.#room.set(key, room)
    if (!(await room)) return undefined
    return this.#holdOf(key, this.#held.get(key) ?? this.#add(key, bytes, address, read))
  }

  /** Whether there was room in time. If so, the bytes are taken, unless another request has come to hold the body. */
  async #roomFor(key: string, bytes: number, address: string): Promise<boolean> {
    const isTaken = await this.#memory.takeSoon(address, bytes)
    this.#room.delete(key)
    if (isTaken && this.#held.has(key)) this.#memory.give(address, bytes)
    return isTaken
  }

  /** Adds a body whose bytes have been taken. */
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
    this.#memory.give(held.address, held.bytes)
  }
}
