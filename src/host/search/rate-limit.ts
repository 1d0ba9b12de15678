// Limits requests per minute with the generic cell rate algorithm. A new client may send a minute's worth at once.

import { LRUCache } from 'lru-cache'

const MINUTE_MS = 60_000
/** Clients known at once. The one that has not asked for the longest time is forgotten first. */
const MAX_KNOWN = 10_000

export class RateLimit {
  readonly #stepMs: number
  /** The time until which earlier requests are paid for, by client: milliseconds of the monotonic clock. */
  readonly #paidUntil = new LRUCache<string, number>({ max: MAX_KNOWN })

  constructor(perMinute: number) {
    this.#stepMs = MINUTE_MS / perMinute
  }

  /** Counts a request. Returns 0 if it is allowed, otherwise the whole seconds until one is. */
  take(who: string): number {
    const now = performance.now()
    const paidUntil = Math.max(now, this.#paidUntil.get(who) ?? 0) + this.#stepMs
    const waitMs = paidUntil - now - MINUTE_MS
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    this.#paidUntil.set(who, paidUntil)
    return 0
  }
}
