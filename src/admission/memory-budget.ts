// The memory that requests may hold, divided into classes. In a class, one holder gets at most half of what others leave free. So a new
// holder always finds free bytes.

import { MEMORY, type MemoryClass, type MemoryRule, REBUILT } from './memory-rows.js'
import { Refused } from './refused.js'
import { waited } from './waits.js'

/** Waiting requests of one holder. Each costs memory, and all may time out at the same moment. */
const MAX_WAITING = 32
/** Limit for all holders together, if the bytes that they wait to count are already in memory. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024

interface Waiting {
  holder: string
  bytes: number
  settle: (isTaken: boolean) => void
}

export interface MemoryFigures {
  bytes: number
  held: number
  waiting: number
  /** Since the start. */
  refused: number
}

/** The memory of one process. */
export class MemoryBudget {
  readonly #shares: Readonly<Record<MemoryClass, MemoryShare>>

  constructor(bytes: number) {
    const shareOf = (name: MemoryClass) => new MemoryShare(bytesOf(name, bytes), MEMORY[name])
    this.#shares = {
      requests: shareOf('requests'),
      writes: shareOf('writes'),
      previews: shareOf('previews'),
      visitors: shareOf('visitors'),
    }
  }

  of(name: MemoryClass): MemoryShare {
    return this.#shares[name]
  }
}

/** Returns the bytes of a class in a budget of so many. */
export function bytesOf(name: MemoryClass, budget: number): number {
  return Math.floor((budget * MEMORY[name].share) / 16)
}

export class MemoryShare {
  readonly bytes: number
  /** Most bytes for a holder that is alone. */
  readonly half: number
  readonly #rule: MemoryRule
  #free: number
  #waitingBytes = 0
  #refused = 0
  readonly #held = new Map<string, number>()
  readonly #waiting = new Set<Waiting>()

  constructor(bytes: number, rule: MemoryRule) {
    this.bytes = bytes
    this.half = Math.floor(bytes / 2)
    this.#free = bytes
    this.#rule = rule
  }

  get figures(): MemoryFigures {
    const { bytes } = this
    return { bytes, held: bytes - this.#free, waiting: this.#waiting.size, refused: this.#refused }
  }

  /** Takes the bytes for the holder, and returns whether that was possible; `give` gives them back. */
  take(holder: string, bytes: number): boolean {
    const held = (this.#held.get(holder) ?? 0) + bytes
    if (held > this.#free - bytes) return false
    this.#held.set(holder, held)
    this.#free -= bytes
    return true
  }

  /** Takes the bytes now. Throws the rule's refusal. */
  takeNow(holder: string, bytes: number): void {
    if (!this.take(holder, bytes)) throw this.refuse()
  }

  /**
   * Takes the bytes, and waits for some that others give back, unless 32 requests of the holder already wait. A smaller request may pass a
   * larger one for which there is no room yet. Returns whether it got them in time.
   */
  async takeSoon(holder: string, bytes: number): Promise<boolean> {
    if (this.take(holder, bytes)) return true
    const { wait, maxWaitMs } = this.#rule
    if (maxWaitMs === 0 || this.#waitingOf(holder) >= MAX_WAITING) return false
    const taken = this.#wait(holder, bytes, maxWaitMs)
    return await (wait === undefined ? taken : waited(wait, taken))
  }

  /** Does the same for bytes that are already in memory, counted or not: at most 32 MiB of them wait. */
  async reserveLoaded(holder: string, bytes: number): Promise<boolean> {
    if (this.take(holder, bytes)) return true
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES) return false
    this.#waitingBytes += bytes
    const isTaken = await this.takeSoon(holder, bytes)
    this.#waitingBytes -= bytes
    return isTaken
  }

  /** Runs the work with the bytes taken. Rejects with the rule's refusal. */
  async during<T>(holder: string, bytes: number, work: () => Promise<T>): Promise<T> {
    if (!(await this.takeSoon(holder, bytes))) throw this.refuse()
    try {
      return await work()
    } finally {
      this.give(holder, bytes)
    }
  }

  give(holder: string, bytes: number): void {
    const left = (this.#held.get(holder) ?? 0) - bytes
    if (left > 0) this.#held.set(holder, left)
    else this.#held.delete(holder)
    this.#free += bytes
    for (const waiting of this.#waiting) if (this.take(waiting.holder, waiting.bytes)) waiting.settle(true)
  }

  /** Returns the rule's refusal, and counts it. */
  refuse(): Refused {
    this.#refused += 1
    return new Refused(this.#rule.refusal)
  }

  #wait(holder: string, bytes: number, milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        holder,
        bytes,
        settle: (isTaken) => {
          clearTimeout(late)
          this.#waiting.delete(waiting)
          resolve(isTaken)
        },
      }
      const late = setTimeout(() => waiting.settle(false), milliseconds)
      this.#waiting.add(waiting)
    })
  }

  #waitingOf(holder: string): number {
    let count = 0
    for (const waiting of this.#waiting) if (waiting.holder === holder) count++
    return count
  }
}

/** The memory of git's programs that rebuild large blobs from deltas, for all sites of this process. */
export const rebuiltMemory = new MemoryShare(REBUILT.bytes, REBUILT)
