// Inspects all sites, one after the other and again and again, so that a damaged repository is reported within seconds although
// nobody asks for it. It works a twentieth of the time where the machine allows it.

import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { isOid } from '../../model/ids.js'
import { foundAgain, includes, SECOND_LOOK_MS, type Trouble, type TroubleKind } from '../protocol/trouble.js'
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
  /** What is wrong with the site's repository now. */
  inspect: (site: SiteRef) => Promise<Trouble[]>
  listSites: () => Promise<readonly SiteRef[]>
  troubles: Troubles
  /** Has the repository maintained where that is due, as after many pushes. */
  maintainIfDue: (site: SiteRef) => void
  /** Restores the settings and hooks of a repository. Rejects with the reason why it cannot. */
  repair: (site: SiteRef) => Promise<void>
  /** Has what is derived from the repository follow it. A site that cannot be read stays as it is. */
  follow: (site: SiteRef) => Promise<void>
  /** Takes errors that no repository caused. */
  onError: (error: unknown) => void
}

export class Patrol {
  readonly #parts: PatrolParts
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(parts: PatrolParts) {
    this.#parts = parts
    // Each damaged site adds a listener while it waits for its second look.
    setMaxListeners(0, this.#stop.signal)
  }

  start(): void {
    this.#running ??= this.#goRounds()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** One round after the other until the end, also after an error. */
  async #goRounds(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // Every request reports a catalog that cannot be read; the patrol only tries again later.
      const sites = await this.#parts.listSites().catch(() => [])
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

  /** Resolves early when the patrol stops. */
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

  /** Clears reports that no longer hold, and has new findings looked at a second time. */
  async #compare(site: SiteRef): Promise<void> {
    const { troubles, repair } = this.#parts
    // What is reported while the inspection runs may be newer than what it saw.
    const noted = troubles.of(site.id).filter(isSeenHere)
    const found = await this.#parts.inspect(site)
    for (const trouble of noted) {
      if (!includes(found, trouble)) troubles.clear(site, trouble.kind, trouble.subject)
    }
    if (found.some(({ subject }) => subject === 'settings')) repair(site).catch(() => undefined)
    const fresh = found.filter((trouble) => !includes(noted, trouble))
    if (fresh.length > 0) this.#lookAgain(site, fresh).catch(this.#parts.onError)
  }

  async #lookAgain(site: SiteRef, found: readonly Trouble[]): Promise<void> {
    await this.#rest(SECOND_LOOK_MS)
    if (this.#stop.signal.aborted) return
    for (const trouble of foundAgain(found, await this.#parts.inspect(site))) this.#parts.troubles.report(site, trouble)
  }
}

/** Damaged single objects are reported and cleared by integrity.ts. */
function isSeenHere({ kind, subject }: NotedTrouble): boolean {
  return SEEN_KINDS.includes(kind) && !isOid(subject)
}
