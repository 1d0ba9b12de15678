// Goes round all sites, one after the other and for ever, and looks whether each repository is as it should be, so that
// a damaged one is named within seconds although nobody asks for it. It works a twentieth of the time where the machine allows it.

import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { isOid } from '../../model/ids.js'
import type { Trouble, TroubleKind } from '../protocol/trouble.js'
import type { NotedTrouble, Troubles } from './troubles.js'
import type { SiteRef } from '../protocol/write.js'

/** A round takes this long, or longer where there are many sites. */
const ROUND_MS = 2000
/** For each millisecond of work, as many of rest; on a busy machine no longer than a moment, so that a round still ends. */
const REST = 19
const LONGEST_REST_MS = 100
/** What an operator's git is in the middle of looks like damage for a moment: a finding counts when it is there twice. */
const SECOND_LOOK_MS = 500
/** Kinds that a look can find, and so can also find to be over. */
const SEEN_KINDS: readonly TroubleKind[] = ['repository', 'object', 'history', 'lock']
export interface PatrolParts {
  /** What is wrong with the site's repository now. */
  inspect: (site: SiteRef) => Trouble[]
  listSites: () => Promise<readonly SiteRef[]>
  troubles: Troubles
  /** Has the repository maintained where that is due, as after many pushes. */
  maintainIfDue: (site: SiteRef) => void
  /** Puts the settings and hooks of a repository back. Rejects with the reason why it cannot. */
  repair: (site: SiteRef) => Promise<void>
  /** Told what is none of the repositories' faults. */
  onError: (error: unknown) => void
}

export class Patrol {
  readonly #parts: PatrolParts
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(parts: PatrolParts) {
    this.#parts = parts
    // Each finding that rests until its second look listens: as many as there are sick sites.
    setMaxListeners(0, this.#stop.signal)
  }

  start(): void {
    this.#running ??= this.#goRounds()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** One round after the other until it is stopped, whatever a visit meets. */
  async #goRounds(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // A catalog that cannot be read shows in every request; here it only means to look again later.
      const sites = await this.#parts.listSites().catch(() => [])
      if (sites.length === 0) await this.#rest(ROUND_MS)
      for (const site of sites) {
        if (this.#stop.signal.aborted) return
        const began = performance.now()
        this.#visit(site)
        const rest = Math.min(REST * (performance.now() - began), LONGEST_REST_MS)
        await this.#rest(Math.max(ROUND_MS / sites.length, rest))
      }
    }
  }

  /** Shorter when the patrol stops. */
  async #rest(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined)
  }

  #visit(site: SiteRef): void {
    try {
      this.#compare(site)
      this.#parts.maintainIfDue(site)
    } catch (error) {
      this.#parts.onError(error)
    }
  }

  /** Compares what is found now with what was noted before. */
  #compare(site: SiteRef): void {
    const { troubles, repair } = this.#parts
    const found = this.#parts.inspect(site)
    const noted = troubles.of(site.id).filter(isSeenHere)
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
    for (const trouble of this.#parts.inspect(site))
      if (includes(found, trouble)) this.#parts.troubles.report(site, trouble)
  }
}

/** Single objects are read by others (integrity.ts), who find too that they are well again. */
function isSeenHere({ kind, subject }: NotedTrouble): boolean {
  return SEEN_KINDS.includes(kind) && !isOid(subject)
}

/** Whether the same trouble is among them, in whatever words. */
function includes(troubles: readonly Trouble[], { kind, subject = '' }: Trouble): boolean {
  return troubles.some((other) => other.kind === kind && (other.subject ?? '') === subject)
}
