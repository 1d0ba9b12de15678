// Limits how many costly jobs, such as clones or pushes, run at once. A workspace may have as many slots as it leaves free, so one
// alone gets half; a workspace without a slot may take the last one. Later jobs wait a moment; the workspace that has waited longest
// comes first.

import { ServiceError } from '../model/errors.js'
import { Turns } from './turns.js'

/** Limit for one workspace. */
const MAX_WAITING = 100

export interface SlotsOptions {
  /** At least 2, so that one workspace never has all of them. */
  total: number
  maxWaitMs: number
  /** Message for a workspace that got no slot in time. */
  refusal: string
}

export class Slots {
  readonly #options: SlotsOptions
  readonly #waiting = new Turns<() => boolean>(MAX_WAITING)
  readonly #taken = new Map<string, number>()
  #free: number

  constructor(options: SlotsOptions) {
    this.#options = options
    this.#free = options.total
  }

  get figures(): { running: number; waiting: number } {
    return { running: this.#options.total - this.#free, waiting: this.#waiting.size }
  }

  /** Runs the work once there is a slot. Throws `service_busy` if there is none in time. */
  async during<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    if (!this.#take(workspaceId)) await this.#wait(workspaceId)
    try {
      return await work()
    } finally {
      this.#give(workspaceId)
    }
  }

  /** Takes a slot once there is one, and returns how to give it back, to be called once. Throws as `during` does. */
  async take(workspaceId: string): Promise<() => void> {
    if (!this.#take(workspaceId)) await this.#wait(workspaceId)
    return () => this.#give(workspaceId)
  }

  async #wait(workspaceId: string): Promise<void> {
    if (!(await this.#turnOf(workspaceId))) throw new ServiceError('service_busy', this.#options.refusal)
  }

  #mayTake(workspaceId: string): boolean {
    const taken = this.#taken.get(workspaceId) ?? 0
    return this.#free > 0 && (taken === 0 || taken + 1 < this.#free)
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

  /** Waits for a slot. Returns whether one came in time; it is taken then. */
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
      const late = setTimeout(() => settle(false), this.#options.maxWaitMs)
      if (!this.#waiting.add(workspaceId, () => settle(true))) settle(false)
    })
  }
}
