// The sites that this node cannot bring to what their logs hold: nothing of them is answered, and nobody waits for them.

import type { SiteRef } from '../store/protocol/write.js'

interface Stall {
  /** Whether requests go on without the site. */
  isSkipped: boolean
  /** Whether one did since the replay that is under way began: then that may lack what the request must see. */
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

  /** A site of many that are not here yet, as on a node that joins: nothing is wrong with it. */
  setAway(site: SiteRef): void {
    this.#stalls.set(site.id, { isSkipped: true, wasSkipped: true })
    this.#parts.onAway(site)
  }

  begin(site: SiteRef, error: unknown): void {
    this.#stalls.set(site.id, { isSkipped: true, wasSkipped: true })
    this.#parts.onStalled(site, error)
  }

  /** Whether a request is to go on without the site. */
  skip(id: string): boolean {
    const stall = this.#stalls.get(id)
    if (stall === undefined || !stall.isSkipped) return false
    stall.wasSkipped = true
    return true
  }

  /** Runs a replay of the site, and never rejects: a failure begins a stall, and a success ends it once no request went on meanwhile. */
  async watch(site: SiteRef, replay: (site: SiteRef) => Promise<void>): Promise<void> {
    const before = this.#stalls.get(site.id)
    if (before !== undefined) before.wasSkipped = false
    try {
      await replay(site)
    } catch (error) {
      return this.begin(site, error)
    }
    const stall = this.#stalls.get(site.id)
    if (stall === undefined) return
    if (!stall.wasSkipped) {
      this.#stalls.delete(site.id)
      this.#parts.onCurrent(site)
    } else {
      // From now on requests wait again, and so the next replay ends it.
      stall.isSkipped = false
      await this.watch(site, replay)
    }
  }
}
