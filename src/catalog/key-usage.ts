// When keys were last used: kept in memory and written down once a minute and at close, never on the way of a request.

import { type Clock, toSeconds, toTimestamp } from '../model/clock.js'
import type { Keys } from './keys.js'

/** Milliseconds. */
const FLUSH_INTERVAL = 60_000

export class KeyUsage {
  readonly #keys: Keys
  readonly #clock: Clock
  readonly #interval: number
  #lastUses = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined

  /** `interval`: milliseconds between the first unwritten use and its writing. */
  constructor(keys: Keys, clock: Clock, interval = FLUSH_INTERVAL) {
    this.#keys = keys
    this.#clock = clock
    this.#interval = interval
  }

  /** The key opened a request just now. Costs no input or output. */
  record(keyId: string): void {
    this.#lastUses.set(keyId, toTimestamp(toSeconds(this.#clock())))
    this.#timer ??= setTimeout(() => this.#flushOrRetry(), this.#interval).unref()
  }

  /** Writes what is unwritten. Throws the driver's error; nothing is forgotten then. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#lastUses.size === 0) return
    this.#keys.touch(this.#lastUses)
    this.#lastUses = new Map()
  }

  /** A time of last use is a convenience: when the disk refuses it, the service goes on and the next minute tries again. */
  #flushOrRetry(): void {
    try {
      this.flush()
    } catch {
      this.#timer = setTimeout(() => this.#flushOrRetry(), this.#interval).unref()
    }
  }
}
