// Maintains the sites that are due, in the turns of a gate. Each rests for 30 s between two runs.

import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Gate } from '../../admission/gate.js'
import { draftsOf, repositoryNameOf } from '../protocol/site-place.js'
import type { SiteRef } from '../protocol/write.js'
import type { Troubles } from './troubles.js'

/** Pause between two runs for one site. */
const REST_MS = 30_000

export interface MaintenanceParts {
  gate: Pick<Gate, 'during'>
  isDue: (site: SiteRef) => boolean
  /** Resolves with false if another maintenance is at work. Rejects soon after the signal. */
  maintain: (site: SiteRef, signal: AbortSignal) => Promise<boolean>
  /** A failure becomes a trouble of the site, until a later run succeeds. */
  troubles: Pick<Troubles, 'clear' | 'report'>
}

export class MaintenanceQueue {
  readonly #parts: MaintenanceParts
  /** Names of the repositories that wait. */
  readonly #due = new Set<string>()
  readonly #restsUntil = new Map<string, number>()
  readonly #runs = new Set<Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(parts: MaintenanceParts) {
    this.#parts = parts
    // Each site that waits adds a listener.
    setMaxListeners(0, this.#stopping.signal)
  }

  /** Maintains the site soon, or once the pause since its last run is over. */
  request(site: SiteRef): void {
    if (this.#stopping.signal.aborted || this.#due.has(repositoryNameOf(site))) return
    this.#due.add(repositoryNameOf(site))
    const run = this.#run(site).finally(() => this.#runs.delete(run))
    this.#runs.add(run)
  }

  /** Does the same if it is due, and for the repository of the site's change requests. */
  requestIfDue(site: SiteRef): void {
    for (const place of [site, draftsOf(site)]) {
      try {
        if (this.#parts.isDue(place)) this.request(place)
      } catch {
        // The inspection reports errors of the files.
      }
    }
  }

  /** Starts nothing new, and ends the run in progress: a later one does its work. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#runs)
  }

  /** Never rejects. */
  async #run(site: SiteRef): Promise<void> {
    const { signal } = this.#stopping
    try {
      const rest = (this.#restsUntil.get(repositoryNameOf(site)) ?? 0) - performance.now()
      await pause(Math.max(0, rest), undefined, { signal, ref: false })
      await this.#parts.gate.during(site.workspaceId ?? site.id, () => this.#maintain(site), { signal })
    } catch (error) {
      if (!signal.aborted) this.#parts.troubles.report(site, { kind: 'maintenance', what: messageOf(error) })
    }
  }

  async #maintain(site: SiteRef): Promise<void> {
    const { maintain, troubles } = this.#parts
    this.#due.delete(repositoryNameOf(site))
    // A request that comes meanwhile rests too.
    this.#setRest(site)
    const isDone = await maintain(site, this.#stopping.signal).finally(() => this.#setRest(site))
    if (isDone) troubles.clear(site, 'maintenance', site.request === undefined ? '' : 'drafts')
    else this.request(site)
  }

  #setRest(site: SiteRef): void {
    this.#restsUntil.set(repositoryNameOf(site), performance.now() + REST_MS)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
