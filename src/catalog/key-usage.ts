// Last uses of keys or agents, collected in memory and written once a minute and at close, so that no request waits for the write.

import { type Clock, toSeconds, toTimestamp } from '../model/clock.js'
import type { Keys } from './keys.js'

const FLUSH_INTERVAL_MS = 60_000

export class KeyUsage {
  readonly #keys: Pick<Keys, 'touch'>
  readonly #clock: Clock
  readonly #interval: number
  /** Uses that are not written yet. */
  readonly #lastUses = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined

  /** `interval`: milliseconds between the first unwritten use and its writing. */
  constructor(keys: Pick<Keys, 'touch'>, clock: Clock, interval = FLUSH_INTERVAL_MS) {
    this.#keys = keys
    this.#clock = clock
    this.#interval = interval
  }

  /** Notes that a request was just authenticated with the key. Does no I/O. */
  record(keyId: string): void {
    this.#lastUses.set(keyId, toTimestamp(toSeconds(this.#clock())))
    this.#timer ??= setTimeout(() => void this.#flushOrRetry(), this.#interval).unref()
  }

  /** Returns when this process last saw the key, if that is not written yet. */
  lastUseOf(keyId: string): string | undefined {
    return this.#lastUses.get(keyId)
  }

  /** Writes the collected uses. Throws the database's error, and then keeps them. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#lastUses.size === 0) return
    const written = new Map(this.#lastUses)
    await this.#keys.touch(written)
    for (const [keyId, at] of written) if (this.#lastUses.get(keyId) === at) this.#lastUses.delete(keyId)
  }

  /** Writes for the last time. If a full or failing disk refuses, the uses are dropped, so that the service stops in order. */
  async close(): Promise<void> {
    try {
      await this.flush()
    } catch {
      this.#lastUses.clear()
    }
  }

  /** Writes, or tries again a minute later: a time of last use is a convenience, and the service goes on without it. */
  async #flushOrRetry(): Promise<void> {
    try {
      await this.flush()
    } catch {
      this.#timer ??= setTimeout(() => void this.#flushOrRetry(), this.#interval).unref()
    }
  }
}
