// Limits how much a process reads in one turn of its event loop, so that reading for one visitor does not delay others. It reads only
// small objects, for a few milliseconds. The rest waits for a later turn; sites take turns.

import { FairQueue } from '../admission/fair-queue.js'
import { LargeRead, type ReadPace } from '../git/storage/object-reader.js'
import { ServiceError } from '../model/errors.js'
import { Pending, untilDone } from '../threads/pending.js'

/** Larger objects are read by another thread: inflating and hashing this many bytes takes about 2 ms. */
const MAX_BYTES = 256 * 1024
/** Costs in microseconds are estimated: on a busy machine a clock mostly measures other processes. */
const STEP_US = 40
const BYTES_A_US = 128
const TURN_US = 3000
/** Longest queue for one host name. */
const MAX_WAITING = 512

export class Pace implements ReadPace {
  readonly #turns = new FairQueue<() => void>(MAX_WAITING)
  #spentUs = 0
  #isNextTurnSet = false

  before(bytes: number): void {
    this.within(bytes)
    this.checkTurn()
    this.#spend(STEP_US + bytes / BYTES_A_US)
  }

  within(bytes: number): void {
    if (bytes > MAX_BYTES) throw new LargeRead()
  }

  untilDone<T>(owner: string, work: () => T): Promise<T> {
    return untilDone(owner, work)
  }

  /** Throws Pending once the turn is over. */
  checkTurn(): void {
    if (this.#spentUs >= TURN_US) throw new Pending((retry, owner) => this.#wait(retry, owner))
  }

  #wait(retry: () => void, owner: string): void {
    if (!this.#turns.add(owner, retry))
      throw new ServiceError('site_busy', 'Too many requests for this site wait. Try again shortly.')
    this.#setNextTurn()
  }

  #spend(microseconds: number): void {
    this.#spentUs += microseconds
    this.#setNextTurn()
  }

  #setNextTurn(): void {
    if (this.#isNextTurnSet) return
    this.#isNextTurnSet = true
    setImmediate(() => this.#nextTurn())
  }

  #nextTurn(): void {
    this.#isNextTurnSet = false
    this.#spentUs = 0
    while (this.#spentUs < TURN_US) {
      const next = this.#turns.take(() => true)
      if (next === undefined) return
      this.#spend(STEP_US)
      next.job()
    }
  }
}
