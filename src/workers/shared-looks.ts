// On a node: a worker asks the primary, which asks the database, what has changed before it answers. One question serves all requests
// that wait.

import { ServiceError } from '../model/errors.js'
import type { RefusedSites } from '../store/reading/refused-sites.js'
import { SharedRun } from '../threads/shared-run.js'
import type { FromWorker, Looked } from './messages.js'

export class SharedLooks {
  readonly #say: (message: FromWorker) => void
  readonly #refused: RefusedSites
  readonly #looks = new SharedRun(() => this.#look())
  readonly #waiting = new Map<number, (looked: Looked) => void>()
  #round = 0
  #mayBeOld = false
  /** The database's clock less this process's monotonic one, milliseconds. */
  #offset: number | undefined

  constructor(say: (message: FromWorker) => void, refused: RefusedSites) {
    this.#say = say
    this.#refused = refused
  }

  /** Resolves once this machine has what any node had answered before the call. Throws `storage_failed`. */
  async untilCurrent(): Promise<void> {
    await this.#looks.after()
  }

  /** Where that has failed: whether sites may be shown as they were. */
  mayBeOld(): boolean {
    return this.#mayBeOld
  }

  /** The database's time. */
  now(): Date {
    return new Date(this.#offset === undefined ? Date.now() : performance.now() + this.#offset)
  }

  hear(round: number, looked: Looked): void {
    this.#waiting.get(round)?.(looked)
    this.#waiting.delete(round)
  }

  async #look(): Promise<void> {
    const { isCurrent, mayBeOld, refused, time } = await new Promise<Looked>((resolve) => {
      this.#waiting.set(++this.#round, resolve)
      this.#say({ type: 'look', round: this.#round })
    })
    this.#refused.setAllBehind(refused)
    this.#mayBeOld = mayBeOld
    if (isCurrent) this.#offset = time - performance.now()
    else throw new ServiceError('storage_failed', 'This node cannot be brought to what the others have answered.')
  }
}
