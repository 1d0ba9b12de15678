// One node at a time does work that belongs to no request: mirrors, and the unfinished work of dead nodes. If it dies, another
// one takes over within seconds.

import type { Leases } from './leases.js'

const NAME = 'caretaker'
const SECONDS = 5
const PACE_MS = 1000
/** Without a renewal for this long this node has lost the lease, whether or not PostgreSQL says so. */
const LOST_MS = 4000

export interface Care {
  begin: () => void
  /** Called about once a second while this node has the care. */
  tend: () => Promise<void>
  end: () => void
  onError: (error: unknown) => void
}

export class Caretaker {
  readonly #leases: Pick<Leases, 'take' | 'release'>
  readonly #care: Care
  readonly #pace: NodeJS.Timeout
  #renewal: Promise<void> | undefined
  #tending: Promise<void> | undefined
  #renewedAt = -Infinity
  #hasCare = false

  constructor(leases: Pick<Leases, 'take' | 'release'>, care: Care) {
    this.#leases = leases
    this.#care = care
    this.#pace = setInterval(() => this.#turn(), PACE_MS).unref()
    this.#turn()
  }

  /** Gives the care back. */
  async close(): Promise<void> {
    clearInterval(this.#pace)
    await this.#renewal
    await this.#tending
    if (!this.#hasCare) return
    this.#end()
    await this.#leases.release(NAME)
  }

  #turn(): void {
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined))
    if (this.#hasCare && performance.now() - this.#renewedAt > LOST_MS) this.#end()
    if (this.#hasCare)
      this.#tending ??= this.#care
        .tend()
        .catch(this.#care.onError)
        .finally(() => (this.#tending = undefined))
  }

  async #renew(): Promise<void> {
    const sent = performance.now()
    // If PostgreSQL does not answer, the time decides.
    const isMine = await this.#leases.take(NAME, SECONDS).catch(() => undefined)
    if (isMine === false) this.#end()
    if (isMine !== true) return
    this.#renewedAt = sent
    if (!this.#hasCare) this.#care.begin()
    this.#hasCare = true
  }

  #end(): void {
    if (this.#hasCare) this.#care.end()
    this.#hasCare = false
  }
}
