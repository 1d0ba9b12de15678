// Lets a push win on a busy site. git refuses a push if main moved since git advertised it, so a fair lock cannot help. Instead the
// writer keeps main still for a moment. A push by path leaves a mark of git (push-mark.ts), and one over HTTP calls `expectPush`
// (push-line.ts). Main may move again once a push has landed.

import type { Oid } from '../../git/objects/oid.js'
import { pushMarkOf } from '../../git/repository/push-mark.js'
import { readRef } from '../../git/repository/ref.js'
import { MAIN } from '../format/main-ref.js'

/**
 * The longest hold, and the time after a mark. It is enough for a refused push, a pull, a rebase and the next push on a busy machine.
 * Then main may move for half as long, so that writers always have a third of the time.
 */
const MAX_HOLD_MS = 5000
/** The time after a sign of a push over HTTP. The next sign comes sooner. */
const SIGN_MS = 400
/** The interval of looking whether a push has landed. */
const LOOK_MS = 50
/** A site is busy if it made this many batches within BUSY_WINDOW_MS: only then could a push starve. */
const BUSY_BATCHES = 2
const BUSY_WINDOW_MS = 1000

/** All times are monotonic milliseconds. */
export class PushGrace {
  readonly #gitdir: string
  #mark: number | undefined
  #batches: number[] = []
  /** The end of the time after the newest sign. */
  #signEnds = Number.NEGATIVE_INFINITY
  #hold: { since: number; head: Oid | undefined } | undefined
  #freeUntil = 0

  constructor(gitdir: string) {
    this.#gitdir = gitdir
    this.#mark = pushMarkOf(gitdir)
  }

  /** Returns the milliseconds after which the next batch asks again; 0 if it may move main now. */
  holdFor(now: number): number {
    if (this.#takeMark()) this.#signEnds = Math.max(this.#signEnds, now + MAX_HOLD_MS)
    const left = this.#leftAt(now)
    if (left > 0) return Math.min(left, LOOK_MS)
    this.#batches.push(now)
    return 0
  }

  /**
   * Notes that a client was told the head in order to push over HTTP, or is sending a push. Returns in how many milliseconds main starts
   * to hold still for it; 0 means now, or a site without other writers.
   */
  expectPush(now: number): number {
    this.#signEnds = Math.max(this.#signEnds, now + SIGN_MS)
    this.#leftAt(now)
    return this.#hold === undefined ? Math.max(0, this.#freeUntil - now) : 0
  }

  /** Takes back all signs so far, since their push has landed: waiting writers go on. */
  pushLanded(now: number): void {
    this.#takeMark()
    this.#signEnds = Number.NEGATIVE_INFINITY
    if (this.#hold !== undefined) this.#end(this.#hold, now)
  }

  /** Returns how long main holds still at most. Begins a hold, or ends it. */
  #leftAt(now: number): number {
    if (this.#hold === undefined && now >= this.#freeUntil && now < this.#signEnds && this.#isBusy(now))
      this.#hold = { since: now, head: this.#head() }
    if (this.#hold === undefined) return 0
    const left = Math.min(this.#signEnds, this.#hold.since + MAX_HOLD_MS) - now
    if (this.#head() !== this.#hold.head) this.pushLanded(now)
    else if (left <= 0) this.#end(this.#hold, now)
    else return left
    return 0
  }

  #end({ since }: { since: number }, now: number): void {
    this.#freeUntil = now + (now - since) / 2
    this.#hold = undefined
  }

  /** Returns undefined for a main that cannot be read, which is no landed push. */
  #head(): Oid | undefined {
    try {
      return readRef(this.#gitdir, MAIN, 0)
    } catch {
      return undefined
    }
  }

  #isBusy(now: number): boolean {
    this.#batches = this.#batches.filter((at) => now - at < BUSY_WINDOW_MS)
    return this.#batches.length >= BUSY_BATCHES
  }

  /** Whether there is a mark since the last call. */
  #takeMark(): boolean {
    const before = this.#mark
    this.#mark = pushMarkOf(this.#gitdir)
    return this.#mark !== before
  }
}
