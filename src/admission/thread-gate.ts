// The gate of the serving thread: begins one request in each turn of the event loop, workspaces in turns. So whoever sends a thousand at
// once holds up another workspace by one request, and the thread takes what others have sent in between. Alone it costs microseconds.

import { ServiceError } from '../model/errors.js'
import { Turns } from '../threads/turns.js'
import { waited } from './waits.js'

/** Requests of one workspace. */
const MAX_WAITING = 1000

export class ThreadGate {
  readonly #waiting = new Turns<() => void>(MAX_WAITING)
  /** Whether a request has begun in this turn of the event loop. */
  #isTaken = false

  /** Resolves when the request may begin. Throws `queue_full` where too many requests of the workspace wait. */
  async enter(workspaceId: string): Promise<void> {
    if (this.#isTaken) await waited('turn', this.#turnOf(workspaceId))
    else this.#take()
  }

  #turnOf(workspaceId: string): Promise<void> {
    return new Promise((begin, reject) => {
      if (this.#waiting.add(workspaceId, begin)) return
      reject(new ServiceError('queue_full', 'Too many requests of this workspace wait. Try again in a second.'))
    })
  }

  #take(): void {
    this.#isTaken = true
    setImmediate(() => this.#beginNext())
  }

  #beginNext(): void {
    this.#isTaken = false
    const next = this.#waiting.take(() => true)
    if (next === undefined) return
    this.#take()
    next.job()
  }
}
