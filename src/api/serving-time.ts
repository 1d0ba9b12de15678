// Fairness on the serving thread: how much of its time each workspace used in the last seconds. Requests of a workspace that used
// more than its budget are begun one at a time, each in a turn of the event loop of its own, so that between two of them the thread
// takes what others have sent. Where nobody else asks for anything, that costs microseconds.

import { LRUCache } from 'lru-cache'
import { waited } from '../admission/waits.js'
import { ServiceError } from '../model/errors.js'
import { Turns } from '../threads/turns.js'

/** Of one workspace; what was used counts half after each second. */
const BUDGET_MS = 100
const HALF_LIFE_MS = 1000
/** Requests of one workspace. */
const MAX_WAITING = 1000
/** Workspaces whose use is remembered. */
const MAX_WORKSPACES = 10_000

export class ServingTime {
  readonly #used = new LRUCache<string, { ms: number; at: number }>({ max: MAX_WORKSPACES })
  readonly #waiting = new Turns<() => void>(MAX_WAITING)
  #isTurnDue = false
  #inFlight = 0
  /** Busy milliseconds of the thread that one request in flight all the time would have been charged. */
  #share = 0
  #busyMs = 0

  /**
   * Runs the work, at once or in its turn, and charges its workspace: the busy time of the thread is divided evenly among the requests
   * in flight. Throws `queue_full` where too many requests of the workspace wait.
   */
  async during<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    if (this.#usedBy(workspaceId) > BUDGET_MS) await waited('turn', this.#turnOf(workspaceId))
    const begun = this.#count(1)
    try {
      return await work()
    } finally {
      const ms = this.#usedBy(workspaceId) + this.#count(-1) - begun
      this.#used.set(workspaceId, { ms, at: performance.now() })
    }
  }

  #usedBy(workspaceId: string): number {
    const used = this.#used.get(workspaceId)
    return used === undefined ? 0 : used.ms * 0.5 ** ((performance.now() - used.at) / HALF_LIFE_MS)
  }

  #count(change: 1 | -1): number {
    const busyMs = performance.eventLoopUtilization().active
    if (this.#inFlight > 0) this.#share += (busyMs - this.#busyMs) / this.#inFlight
    this.#busyMs = busyMs
    this.#inFlight += change
    return this.#share
  }

  #turnOf(workspaceId: string): Promise<void> {
    return new Promise((begin, reject) => {
      if (this.#waiting.add(workspaceId, begin)) this.#planTurn()
      else reject(new ServiceError('queue_full', 'Too many requests of this workspace wait. Try again in a second.'))
    })
  }

  /** One request in each turn of the event loop: before the next one, the thread reads what its sockets have. */
  #planTurn(): void {
    if (this.#isTurnDue) return
    this.#isTurnDue = true
    setImmediate(() => {
      this.#isTurnDue = false
      const next = this.#waiting.take(() => true)
      if (next === undefined) return
      next.job()
      this.#planTurn()
    })
  }
}
