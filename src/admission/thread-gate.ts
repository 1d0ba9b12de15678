// The gate of the serving thread: begins one request of each workspace in a turn of the event loop. So a workspace that sends a thousand
// at once holds up others by one request, and the thread takes what they have sent in between. A request that comes alone begins at once.

import { ServiceError } from '../model/errors.js'
import type { Figures } from './figures.js'
import { waited } from './waits.js'

/** Requests of one workspace. */
const MAX_WAITING = 1000

export class ThreadGate {
  /** Workspaces of which a request has begun in this turn of the event loop. */
  readonly #begun = new Set<string>()
  /** Requests that wait, in their order, by workspace. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Resolves when the request may begin. Throws `queue_full` where too many requests of the workspace wait. */
  async enter(workspaceId: string): Promise<void> {
    if (this.#begun.has(workspaceId)) await waited('turn', this.#wait(workspaceId))
    else this.#begin(workspaceId)
  }

  /** Counts the workspaces of which a request has begun in this turn, and the requests that wait. */
  get figures(): Figures {
    let waiting = 0
    for (const requests of this.#waiting.values()) waiting += requests.length
    return { running: this.#begun.size, waiting }
  }

  #wait(workspaceId: string): Promise<void> {
    const requests = this.#waiting.get(workspaceId) ?? []
    if (requests.length >= MAX_WAITING)
      throw new ServiceError('queue_full', 'Too many requests of this workspace wait. Try again in a second.')
    this.#waiting.set(workspaceId, requests)
    return new Promise((begin) => requests.push(begin))
  }

  #begin(workspaceId: string): void {
    if (this.#begun.size === 0) setImmediate(() => this.#nextTurn())
    this.#begun.add(workspaceId)
  }

  #nextTurn(): void {
    this.#begun.clear()
    for (const [workspaceId, requests] of this.#waiting) {
      const begin = requests.shift()
      if (requests.length === 0) this.#waiting.delete(workspaceId)
      this.#begin(workspaceId)
      begin?.()
    }
  }
}
