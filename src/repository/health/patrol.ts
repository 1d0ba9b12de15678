// Inspects all sites, one after the other, over and over, so that a damaged repository is reported within seconds even without
// requests. It works a twentieth of the time if the machine allows it.

import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import {
  damagedObjectIn,
  foundAgain,
  includes,
  SECOND_INSPECTION_MS,
  type Trouble,
  type TroubleKind,
} from '../protocol/trouble.js'
import type { NotedTrouble, Troubles } from './troubles.js'
import type { SiteRef } from '../protocol/write.js'

/** The shortest time for a round over all sites. */
const ROUND_MS = 2000
/** Milliseconds of rest for each millisecond of work; bounded, so that a round ends on a busy machine too. */
const IDLE_RATIO = 19
const MAX_REST_MS = 100
/** Kinds that an inspection finds, and therefore also clears. */
const SEEN_KINDS: readonly TroubleKind[] = ['repository', 'object', 'history', 'lock']
export interface PatrolParts {
  /** Finds the current faults of the site's repository. */
  inspect: (site: SiteRef) => Promise<Trouble[]>
  listSites: () => Promise<readonly SiteRef[]>
  troubles: Troubles
  /** Has the repository maintained if that is due, for example after many pushes. */
  maintainIfDue: (site: SiteRef) => void
  /** Restores the settings and hooks of the site's repositories. Rejects with the reason if it cannot. */
  repair: (site: SiteRef) => Promise<void>
  /** Updates derived data to the repository. A site that cannot be read stays as it is. */
  follow: (site: SiteRef) => Promise<void>
  /** Does what is due for all sites together, once in a round. */
  tend: () => Promise<void>
  /** Takes errors that no repository caused. */
  onError: (error: unknown) => void
}

export class Patrol {
  readonly #parts: PatrolParts
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(parts: PatrolParts) {
    this.#parts = parts
    // Each damaged site adds a listener while it waits for its second inspection.
    setMaxListeners(0, this.#stop.signal)
  }

  start(): void {
    this.#running ??= this.#goRounds()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Makes rounds until the patrol stops, also after an error. */
  async #goRounds(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // Every request reports an unreadable catalog; the patrol only tries again later.
      const sites = await this.#parts.listSites().catch(() => [])
      if (sites.length > 0) await this.#parts.tend().catch(this.#parts.onError)
      if (sites.length === 0) await this.#rest(ROUND_MS)
      for (const site of sites) {
        if (this.#stop.signal.aborted) return
        const began = performance.now()
        await this.#visit(site)
        const rest = Math.min(IDLE_RATIO * (performance.now() - began), MAX_REST_MS)
        await this.#rest(Math.max(ROUND_MS / sites.length, rest))
      }
    }
  }

  /** Waits, and resolves early when the patrol stops. */
  async #rest(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined)
  }

  async #visit(site: SiteRef): Promise<void> {
    try {
      await this.#compare(site)
      this.#parts.maintainIfDue(site)
      await this.#parts.follow(site)
    } catch (error) {
      this.#parts.onError(error)
    }
  }

  /** Clears reports that no longer hold, and inspects a second time before it reports new findings. */
  async #compare(site: SiteRef): Promise<void> {
    const { troubles, repair } = this.#parts
    // A trouble reported during the inspection may be newer than the inspection's view.
    const noted = troubles.of(site.id).filter(isSeenHere)
    const found = await this.#parts.inspect(site)
    for (const trouble of noted) {
      if (!includes(found, trouble)) troubles.clear(site, trouble.kind, trouble.subject)
    }
    if (found.some(({ subject }) => subject === 'settings' || subject === 'drafts settings'))
      repair(site).catch(() => undefined)
    const fresh = found.filter((trouble) => !includes(noted, trouble))
    if (fresh.length > 0)
      this.#confirm(site, fresh).catch((error: unknown) => {
        // The thread that inspects ends soon after the patrol stops.
        if (!this.#stop.signal.aborted) this.#parts.onError(error)
      })
  }

  async #confirm(site: SiteRef, found: readonly Trouble[]): Promise<void> {
    await this.#rest(SECOND_INSPECTION_MS)
    if (this.#stop.signal.aborted) return
    for (const trouble of foundAgain(found, await this.#parts.inspect(site))) this.#parts.troubles.report(site, trouble)
  }
}

/** Whether the patrol handles this trouble. integrity.ts reports and clears damaged single objects. */
function isSeenHere({ kind, subject }: NotedTrouble): boolean {
  return SEEN_KINDS.includes(kind) && damagedObjectIn(subject) === undefined
}
