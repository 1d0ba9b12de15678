// Limits requests in a window of time. A client may send all of them at once; then it waits for the next window. Counts are per process.

import type { RateLimiterRes } from 'rate-limiter-flexible'
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'

const WINDOW_SECONDS = 60

/** A client's state under one policy. */
export interface RateState {
  policy: string
  quota: number
  windowSeconds: number
  /** Requests that are left until the window ends. */
  left: number
  /** Whole seconds until then, at least 1. */
  resetSeconds: number
  /** Whether this request is one too many. */
  isOver: boolean
}

export class RateLimit {
  readonly #policy: string
  readonly #limiter: RateLimiterMemory
  #refused = 0

  /** `policy` names it in the answers' fields. */
  constructor(policy: string, quota: number, windowSeconds = WINDOW_SECONDS) {
    this.#policy = policy
    this.#limiter = new RateLimiterMemory({ points: quota, duration: windowSeconds })
  }

  get figures(): { quota: number; refused: number } {
    return { quota: this.#limiter.points, refused: this.#refused }
  }

  /** Counts a request. Returns undefined where there is no limit. */
  async take(who: string): Promise<RateState | undefined> {
    if (this.#limiter.points === 0) return undefined
    const [isOver, result] = await this.#limiter.consume(who).then(
      (taken): [boolean, RateLimiterRes] => [false, taken],
      // The library rejects with the same kind of value where nothing is left, and with nothing else.
      (refused: RateLimiterRes): [boolean, RateLimiterRes] => [true, refused],
    )
    if (isOver) this.#refused += 1
    return this.#stateOf(result, isOver)
  }

  /** Returns the state without counting: whether nothing is left. Undefined where there is no limit, or nothing is counted yet. */
  async peek(who: string): Promise<RateState | undefined> {
    const known = await this.#limiter.get(who)
    return known === null ? undefined : this.#stateOf(known, known.remainingPoints === 0)
  }

  #stateOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isOver: boolean): RateState {
    return {
      policy: this.#policy,
      quota: this.#limiter.points,
      windowSeconds: this.#limiter.duration,
      left: remainingPoints,
      resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      isOver,
    }
  }
}

/** Returns the answer's fields (draft-ietf-httpapi-ratelimit-headers-11); none without a state. */
export function rateFields(states: readonly RateState[]): Record<string, string> {
  if (states.length === 0) return {}
  return {
    'RateLimit-Policy': states
      .map(({ policy, quota, windowSeconds }) => `"${policy}";q=${quota};w=${windowSeconds}`)
      .join(', '),
    RateLimit: states.map(({ policy, left, resetSeconds }) => `"${policy}";r=${left};t=${resetSeconds}`).join(', '),
  }
}
