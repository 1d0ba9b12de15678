// Queues the sites that are due for maintenance, and runs one at a time.

import type { SiteRef } from '../protocol/write.js'
import type { Troubles } from './troubles.js'

/** Pause between two runs for one site. */
const REST_MS = 30_000

interface MaintainedRepositories {
  isMaintenanceDue(site: SiteRef): boolean
  /** Resolves with false if another maintenance is at work. Rejects soon after the signal. */
  maintain(site: SiteRef, signal: AbortSignal): Promise<boolean>
}

export interface MaintenanceOutcome {
  done: (site: SiteRef) => void
  failed: (site: SiteRef, error: unknown) => void
}

/** Maintains the sites that are due, one after the other, each at most every 30 s. */
export class MaintenanceQueue {
  readonly #repositories: MaintainedRepositories
  readonly #outcome: MaintenanceOutcome
  /** Due sites by slug; `from` is the monotonic time before which a site is not maintained. */
  readonly #due = new Map<string, { site: SiteRef; from: number }>()
  readonly #restsUntil = new Map<string, number>()
  #running: Promise<void> | undefined
  #alarm: NodeJS.Timeout | undefined
  readonly #stopping = new AbortController()

  constructor(repositories: MaintainedRepositories, outcome: MaintenanceOutcome) {
    this.#repositories = repositories
    this.#outcome = outcome
  }

  /** Maintains the site soon, or once the pause since its last run is over. */
  request(site: SiteRef): void {
    if (this.#isStopped) return
    this.#due.set(site.slug, { site, from: this.#restsUntil.get(site.slug) ?? 0 })
    this.#wake()
  }

  /** Does the same if it is due. */
  requestIfDue(site: SiteRef): void {
    try {
      if (this.#repositories.isMaintenanceDue(site)) this.request(site)
    } catch {
      // The inspection reports errors of the files.
    }
  }

  get figures(): { running: number; waiting: number } {
    return { running: this.#running === undefined ? 0 : 1, waiting: this.#due.size }
  }

  /** Starts nothing new, and ends the run in progress: a later one does its work. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#due.clear()
    clearTimeout(this.#alarm)
    await this.#running
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  #wake(): void {
    clearTimeout(this.#alarm)
    if (this.#running !== undefined || this.#due.size === 0) return
    const next = Math.min(...Array.from(this.#due.values(), ({ from }) => from))
    const wait = Math.max(0, next - performance.now())
    this.#alarm = setTimeout(() => {
      this.#running = this.#runDue().finally(() => {
        this.#running = undefined
        this.#wake()
      })
    }, wait).unref()
  }

  async #runDue(): Promise<void> {
    for (const [slug, { site, from }] of this.#due) {
      if (from > performance.now()) continue
      this.#due.delete(slug)
      await this.#maintain(site)
    }
  }

  async #maintain(site: SiteRef): Promise<void> {
    try {
      if (await this.#repositories.maintain(site, this.#stopping.signal)) this.#outcome.done(site)
      else if (!this.#isStopped) this.#due.set(site.slug, { site, from: performance.now() + REST_MS })
    } catch (error) {
      if (!this.#isStopped) this.#outcome.failed(site, error)
    }
    this.#restsUntil.set(site.slug, performance.now() + REST_MS)
  }
}

/** Makes the queue of a store. A failure becomes a trouble of the site, until a later run succeeds. */
export function maintenanceOf(
  repositories: MaintainedRepositories,
  troubles: Pick<Troubles, 'clear' | 'report'>,
): MaintenanceQueue {
  return new MaintenanceQueue(repositories, {
    done: (site) => troubles.clear(site, 'maintenance'),
    failed: (site, error) =>
      troubles.report(site, { kind: 'maintenance', what: error instanceof Error ? error.message : String(error) }),
  })
}
