// How often somebody may ask: so many requests at once, and as many a minute from then on (the generic cell rate algorithm).

import { LRUCache } from 'lru-cache'

const MINUTE_MS = 60_000
/** Those who have not asked for the longest are forgotten first. */
const MAX_KNOWN = 10_000

export class RateLimit {
  readonly #stepMs: number
  /** When all earlier requests of somebody are accounted for: milliseconds of the monotonic clock. */
  readonly #paidUntil = new LRUCache<string, number>({ max: MAX_KNOWN })

  constructor(perMinute: number) {
    this.#stepMs = MINUTE_MS / perMinute
  }

  /** Counts a request. Answers 0 where it is allowed, otherwise the whole seconds after which one is. */
  take(who: string): number {
    const now = performance.now()
    const paidUntil = Math.max(now, this.#paidUntil.get(who) ?? 0) + this.#stepMs
    const waitMs = paidUntil - now - MINUTE_MS
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    this.#paidUntil.set(who, paidUntil)
    return 0
  }
}
