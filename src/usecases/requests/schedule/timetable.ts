// Publishes change requests at their times. It looks twice a second, and publishes one after the other, in the order of times. Of several
// machines one does it. If two did for a moment, each request would still be published once: main says what was.

import type { ScheduledRequest } from '../../../catalog/requests/schedules.js'
import type { Services } from '../../context/services.js'
import { publishDue } from './publish-due.js'

const LOOK_MS = 500
/** Rows of one read. */
const AT_ONCE = 100
/** How long a site rests after a trouble. Its requests keep their order, so all of them wait. */
const REST_MS = 5_000

export interface TimetableOptions {
  /** Called with each trouble after which a request is tried again; without a request if none could be read. */
  onTrouble: (error: unknown, request?: ScheduledRequest) => void
  /** Called with an error that nobody foresaw: the request is held. */
  onFailure: (error: unknown, request: ScheduledRequest) => void
  restMs?: number
}

export class Timetable {
  readonly #services: Services
  readonly #options: Required<TimetableOptions>
  /** When each site that met a trouble may be tried again, on the monotonic clock. */
  readonly #resting = new Map<string, number>()
  #looks: NodeJS.Timeout | undefined
  #run: Promise<void> | undefined
  #isStopped = false

  constructor(services: Services, { restMs = REST_MS, ...told }: TimetableOptions) {
    this.#services = services
    this.#options = { restMs, ...told }
  }

  /** Publishes what is due from now on. */
  start(): void {
    this.#isStopped = false
    this.#looks ??= setInterval(() => void this.run(), LOOK_MS).unref()
    void this.run()
  }

  /** Begins nothing more. */
  stop(): void {
    clearInterval(this.#looks)
    this.#looks = undefined
    this.#isStopped = true
  }

  /** Stops, and waits for the request that is being published. */
  async close(): Promise<void> {
    this.stop()
    await this.#run
  }

  /** Publishes what is due now. At most one run is under way. Never rejects. */
  run(): Promise<void> {
    this.#run ??= this.#publishAll()
      .catch((error: unknown) => this.#options.onTrouble(error))
      .finally(() => (this.#run = undefined))
    return this.#run
  }

  async #publishAll(): Promise<void> {
    const { catalog, replica } = this.#services
    await replica.followCatalog()
    let last: ScheduledRequest | undefined
    for (;;) {
      const due = catalog.schedules.listDue(AT_ONCE, last)
      for (const row of due) {
        if (this.#isStopped) return
        if (!this.#isResting(row.siteId)) await this.#publish(row)
      }
      last = due.at(-1)
      if (last === undefined) return
    }
  }

  async #publish(row: ScheduledRequest): Promise<void> {
    try {
      const failure = await publishDue(this.#services, row)
      if (failure !== undefined) this.#options.onFailure(failure, row)
    } catch (error) {
      this.#resting.set(row.siteId, performance.now() + this.#options.restMs)
      this.#options.onTrouble(error, row)
    }
  }

  #isResting(siteId: string): boolean {
    const until = this.#resting.get(siteId)
    if (until === undefined) return false
    if (performance.now() < until) return true
    this.#resting.delete(siteId)
    return false
  }
}
