// The sites and change requests that this node cannot bring up to their logs. Calls for them are refused, and other calls do not wait.

import { placeIdOf } from '../repository/protocol/site-place.js'
import type { SiteRef } from '../repository/protocol/write.js'

interface Stall {
  /** Whether requests go on without the site. */
  isSkipped: boolean
  /** Whether a request skipped the site since the running replay began. That replay may miss changes, so it runs again. */
  wasSkipped: boolean
}

export interface StallsParts {
  onStalled: (site: SiteRef, error: unknown) => void
  onCurrent: (site: SiteRef) => void
  onAway: (site: SiteRef) => void
}

export class Stalls {
  readonly #parts: StallsParts
  readonly #stalls = new Map<string, Stall>()

  constructor(parts: StallsParts) {
    this.#parts = parts
  }

  has(id: string): boolean {
    return this.#stalls.has(id)
  }

  /** Marks one of many sites that are not here yet, as on a joining node: nothing is wrong with it. */
  setAway(site: SiteRef): void {
    this.#stalls.set(placeIdOf(site), { isSkipped: true, wasSkipped: true })
    this.#parts.onAway(site)
  }

  begin(site: SiteRef, error: unknown): void {
    this.#stalls.set(placeIdOf(site), { isSkipped: true, wasSkipped: true })
    this.#parts.onStalled(site, error)
  }

  /** Whether a request must go on without the site. */
  mustSkip(id: string): boolean {
    const stall = this.#stalls.get(id)
    if (stall === undefined || !stall.isSkipped) return false
    stall.wasSkipped = true
    return true
  }

  /** Replays the site, and never rejects. A failure begins a stall; a success ends it unless a request skipped the site meanwhile. */
  async watch(site: SiteRef, replay: (site: SiteRef) => Promise<void>): Promise<void> {
    const before = this.#stalls.get(placeIdOf(site))
    if (before !== undefined) before.wasSkipped = false
    try {
      await replay(site)
    } catch (error) {
      return this.begin(site, error)
    }
    const stall = this.#stalls.get(placeIdOf(site))
    if (stall === undefined) return
    if (!stall.wasSkipped) {
      this.#stalls.delete(placeIdOf(site))
      this.#parts.onCurrent(site)
    } else {
      // From now on requests wait again, so the next replay ends the stall.
      stall.isSkipped = false
      await this.watch(site, replay)
    }
  }
}
