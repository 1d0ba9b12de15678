// How many fetches git serves at once: so many in all, and of one workspace half of them. Those that come later wait a moment; among
// workspaces, the one that has waited longest comes first.

import { ServiceError } from '../model/errors.js'
import { Turns } from '../threads/turns.js'

const MAX_WAIT_MS = 2000
/** Of one workspace. */
const MAX_WAITING = 100

export class FetchSlots {
  readonly #total: number
  readonly #waiting = new Turns<() => boolean>(MAX_WAITING)
  readonly #taken = new Map<string, number>()
  #free: number

  constructor(total: number) {
    this.#total = total
    this.#free = total
  }

  /** Runs the work once there is a slot. Throws `service_busy` where there is none in time. */
  async during<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    if (!this.#take(workspaceId) && !(await this.#turnOf(workspaceId)))
      throw new ServiceError('service_busy', 'Too many clones and fetches are served at once. Try again shortly.')
    try {
      return await work()
    } finally {
      this.#give(workspaceId)
    }
  }

  #mayTake(workspaceId: string): boolean {
    return this.#free > 0 && (this.#taken.get(workspaceId) ?? 0) < this.#total / 2
  }

  #take(workspaceId: string): boolean {
    if (!this.#mayTake(workspaceId)) return false
    this.#free -= 1
    this.#taken.set(workspaceId, (this.#taken.get(workspaceId) ?? 0) + 1)
    return true
  }

  #give(workspaceId: string): void {
    const left = (this.#taken.get(workspaceId) ?? 1) - 1
    if (left === 0) this.#taken.delete(workspaceId)
    else this.#taken.set(workspaceId, left)
    this.#free += 1
    for (let next = this.#next(); next !== undefined; next = this.#next()) if (next.job()) this.#take(next.workspaceId)
  }

  #next(): { workspaceId: string; job: () => boolean } | undefined {
    return this.#waiting.take((workspaceId) => this.#mayTake(workspaceId))
  }

  /** Whether a slot came in time; it is taken then. */
  #turnOf(workspaceId: string): Promise<boolean> {
    return new Promise((resolve) => {
      let isOver = false
      const settle = (isTaken: boolean) => {
        const isInTime = !isOver
        isOver = true
        clearTimeout(late)
        if (isInTime) resolve(isTaken)
        return isInTime
      }
      const late = setTimeout(() => settle(false), MAX_WAIT_MS)
      if (!this.#waiting.add(workspaceId, () => settle(true))) settle(false)
    })
  }
}
