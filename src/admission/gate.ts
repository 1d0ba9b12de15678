// Limits how much goes on at once. Later work waits in a fair queue, up to a number and a time, and is then refused.

import type { ServiceError } from '../model/errors.js'
import { FairQueue } from './fair-queue.js'
import { type Refusal, Refused } from './refused.js'
import { type Wait, waited } from './waits.js'

export interface GateRule {
  /** Places for all owners together. */
  atOnce: number
  /** Places for one owner. `half`: at most half of what others leave free; an owner without a place may take the last one. */
  each: number | 'half'
  /** How long a place is held: until its holder leaves, at most so many milliseconds, or only until the next turn of the event loop. */
  lasts?: 'work' | 'turn' | number
  /** Work of one owner that may wait. */
  maxWaiting: number
  /** Milliseconds that it may wait. Default: without limit. */
  maxWaitMs?: number | undefined
  /** Said to work that cannot wait, or has waited too long. */
  refusal: Refusal
  /** The name of the wait in `Server-Timing`. */
  wait?: Wait
}

/** Gives the place back. Further calls do nothing. */
export type Leave = () => void

export interface Entry {
  /** Parts of an owner take turns among themselves. */
  part?: string
  /** Ends the wait with its reason. */
  signal?: AbortSignal
}

interface Waiting {
  begin: () => void
  refuse: (reason: ServiceError) => void
}

export interface GateFigures {
  running: number
  waiting: number
  /** Since the start. */
  refused: number
}

export class Gate {
  readonly #rule: GateRule
  readonly #waiting: FairQueue<Waiting>
  /** Places held, by owner. */
  readonly #held = new Map<string, number>()
  #running = 0
  #refused = 0

  constructor(rule: GateRule) {
    const { maxWaiting, maxWaitMs } = rule
    this.#rule = rule
    const onLate = ({ refuse }: Waiting) => refuse(this.#refuse())
    this.#waiting = new FairQueue(maxWaiting, maxWaitMs === undefined ? undefined : { maxMs: maxWaitMs, onLate })
  }

  get figures(): GateFigures {
    return { running: this.#running, waiting: this.#waiting.size, refused: this.#refused }
  }

  /** Resolves with a place once there is one. Rejects with the rule's refusal. */
  async enter(owner: string, entry: Entry = {}): Promise<Leave> {
    if (this.#hasPlace(owner)) return this.#begin(owner)
    const place = this.#placeFor(owner, entry)
    return await (this.#rule.wait === undefined ? place : waited(this.#rule.wait, place))
  }

  /** Takes a place if there is one now. */
  tryEnter(owner: string): Leave | undefined {
    return this.#hasPlace(owner) ? this.#begin(owner) : undefined
  }

  /** Takes a place if there is one now. Throws the rule's refusal. */
  enterNow(owner: string): Leave {
    const leave = this.tryEnter(owner)
    if (leave === undefined) throw this.#refuse()
    return leave
  }

  /** Runs the work in a place. Rejects as `enter` does. */
  async during<T>(owner: string, work: () => Promise<T>, entry?: Entry): Promise<T> {
    const leave = await this.enter(owner, entry)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /**
   * Runs the work at once, or in its turn. For gates that refuse nobody, whose places last a turn, and of which one owner may have all. So
   * `callerOf` is asked only if the work must wait.
   */
  run(work: () => unknown, callerOf: () => { owner: string; part?: string }): void {
    const begin = () => {
      this.#begin('')
      work()
    }
    if (this.#running < this.#rule.atOnce) return begin()
    const { owner, part } = callerOf()
    this.#waiting.add(owner, { begin, refuse: () => undefined }, part)
  }

  /** Refuses all that waits with the reason. */
  clear(reason: ServiceError): void {
    for (const { refuse } of this.#waiting.clear()) refuse(reason)
  }

  #placeFor(owner: string, { part, signal }: Entry): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const forget = () => signal?.removeEventListener('abort', abort)
      const waiting: Waiting = {
        begin: () => {
          forget()
          resolve(this.#begin(owner))
        },
        refuse: (reason) => {
          forget()
          reject(reason)
        },
      }
      const abort = () => {
        if (this.#waiting.remove(owner, waiting, part)) reject(signal?.reason as Error)
      }
      if (signal?.aborted === true) return reject(signal.reason as Error)
      if (!this.#waiting.add(owner, waiting, part)) return reject(this.#refuse())
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  #hasPlace(owner: string): boolean {
    const { atOnce, each } = this.#rule
    const held = this.#held.get(owner) ?? 0
    const free = atOnce - this.#running
    if (free <= 0) return false
    return each === 'half' ? held === 0 || held + 1 < free : held < each
  }

  #begin(owner: string): Leave {
    const { lasts } = this.#rule
    if (lasts === 'turn' && this.#running === 0) setImmediate(() => this.#nextTurn())
    this.#running += 1
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1)
    if (lasts === 'turn') return () => undefined
    let isOver = false
    const leave = () => {
      if (!isOver) this.#leave(owner)
      isOver = true
    }
    if (typeof lasts === 'number') setTimeout(leave, lasts).unref()
    return leave
  }

  #leave(owner: string): void {
    const left = (this.#held.get(owner) ?? 1) - 1
    if (left === 0) this.#held.delete(owner)
    else this.#held.set(owner, left)
    this.#running -= 1
    this.#waiting.moveToEnd(owner)
    this.#beginNext()
  }

  #nextTurn(): void {
    this.#held.clear()
    this.#running = 0
    this.#beginNext()
  }

  #beginNext(): void {
    const mayRun = (owner: string) => this.#hasPlace(owner)
    for (let next = this.#waiting.take(mayRun); next !== undefined; next = this.#waiting.take(mayRun)) next.job.begin()
  }

  #refuse(): Refused {
    this.#refused += 1
    return new Refused(this.#rule.refusal)
  }
}
