// Who is told the head of a busy site in order to push to it, one at a time: while somebody has the place, main is kept still, and
// others who come to push wait in line. A push can then go in at its second try: the first one tells the client that it is behind.

import { LRUCache } from 'lru-cache'
import type { SiteRef } from '../protocol/write.js'

/** From the last sign of the holder on: a pull, a rebase and the start of a push fit in. */
const SILENT_MS = 1500
/** At most; others wait for their turn. */
const MAX_HOLD_MS = 3000
/** Who waits longer goes on without the place. */
const MAX_WAIT_MS = 4000
/** How often the site is told that the place is taken. */
const SIGN_MS = 150
/** A push that was refused is tried again within this time, if it is. */
const MAX_RETRY_MS = 60_000
const MAX_REMEMBERED = 10_000

/** Times are monotonic milliseconds. */
interface Place {
  holder: string
  since: number
  lastSign: number
  signs: NodeJS.Timeout
}

interface Waiting {
  goOn: () => void
}

export class PushLine {
  /** By the id of the site. */
  readonly #places = new Map<string, Place>()
  readonly #lines = new Map<string, Waiting[]>()
  /** Who came to push, and has not landed. */
  readonly #tried = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: MAX_RETRY_MS })
  readonly #holdStill: (site: SiteRef) => void

  /** `holdStill` is called again and again while somebody has the place. It must not throw. */
  constructor(holdStill: (site: SiteRef) => void) {
    this.#holdStill = holdStill
  }

  /** Resolves when `holder` has the place at the site, or has waited for long enough. */
  async take(site: SiteRef, holder: string): Promise<void> {
    this.#tried.set(`${site.id} ${holder}`, true)
    const end = performance.now() + MAX_WAIT_MS
    for (let isNew = true; !this.#tryToTake(site, holder, isNew); isNew = false) {
      const left = end - performance.now()
      if (left <= 0) return
      await this.#wait(site.id, Math.min(left, this.#freeIn(site.id)))
    }
  }

  /** Whether the holder came to push lately, and has not landed since. */
  hasTried(site: SiteRef, holder: string): boolean {
    return this.#tried.has(`${site.id} ${holder}`)
  }

  /** A sign of the holder; nothing where it does not have the place. */
  keep(site: SiteRef, holder: string): boolean {
    const place = this.#placeAt(site.id)
    if (place?.holder !== holder) return false
    place.lastSign = performance.now()
    return true
  }

  /** The holder has landed: the next one goes on. */
  leave(site: SiteRef, holder: string): void {
    this.#tried.delete(`${site.id} ${holder}`)
    if (this.#places.get(site.id)?.holder === holder) this.#free(site.id)
  }

  /** Those who wait go before those who come. */
  #tryToTake(site: SiteRef, holder: string, isNew: boolean): boolean {
    if (this.keep(site, holder)) return true
    if (this.#placeAt(site.id) !== undefined || (isNew && this.#lines.has(site.id))) return false
    const now = performance.now()
    const signs = setInterval(() => {
      if (this.#placeAt(site.id) !== undefined) this.#holdStill(site)
    }, SIGN_MS)
    this.#places.set(site.id, { holder, since: now, lastSign: now, signs: signs.unref() })
    return true
  }

  #placeAt(siteId: string): Place | undefined {
    if (this.#freeIn(siteId) <= 0) this.#free(siteId)
    return this.#places.get(siteId)
  }

  #free(siteId: string): void {
    const place = this.#places.get(siteId)
    if (place === undefined) return
    clearInterval(place.signs)
    this.#places.delete(siteId)
    this.#lines.get(siteId)?.[0]?.goOn()
  }

  /** Milliseconds. */
  #freeIn(siteId: string): number {
    const place = this.#places.get(siteId)
    if (place === undefined) return 0
    return Math.min(place.lastSign + SILENT_MS, place.since + MAX_HOLD_MS) - performance.now()
  }

  async #wait(siteId: string, milliseconds: number): Promise<void> {
    const line = this.#lines.get(siteId) ?? []
    this.#lines.set(siteId, line)
    await new Promise<void>((resolve) => {
      const late = setTimeout(() => waiting.goOn(), milliseconds + 1)
      const waiting: Waiting = {
        goOn: () => {
          clearTimeout(late)
          line.splice(line.indexOf(waiting), 1)
          if (line.length === 0) this.#lines.delete(siteId)
          resolve()
        },
      }
      line.push(waiting)
    })
  }
}
