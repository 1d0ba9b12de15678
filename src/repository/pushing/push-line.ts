// A queue of clients that are about to push to a busy site over HTTP. While the first one has the place, main is kept still
// (push-grace.ts), and the others wait. A push can then succeed at its second try: the first one tells the client that it is behind.

import { LRUCache } from 'lru-cache'
import { makerNameOf } from '../../model/commits/maker.js'
import type { Principal } from '../../model/principal.js'
import type { SiteRef } from '../protocol/write.js'

/** A holder without a sign for so long loses the place. It is enough for a pull, a rebase and the start of a push. */
const SILENT_MS = 1500
/** The longest time for one holder; others wait for their turn. */
const MAX_HOLD_MS = 3000
/** A client that waits longer goes on without the place. */
const MAX_WAIT_MS = 4000
/** The interval of telling the site that the place is taken. */
const SIGN_MS = 150
/** The interval of signs of a push that is read and judged. */
const SIGN_OF_PUSH_MS = 250
/** The time within which a client retries a refused push, if at all. */
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

/** Keeps main still, if the site is busy. */
interface MainKeeper {
  /** Resolves when main is still. */
  expect: (site: SiteRef) => Promise<void>
  /** Does not wait, and does not throw. */
  holdStill: (site: SiteRef) => void
}

export class PushLine {
  /** Places by the id of the site. */
  readonly #places = new Map<string, Place>()
  readonly #lines = new Map<string, Waiting[]>()
  /** Clients that came to push, and have not landed. */
  readonly #tried = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: MAX_RETRY_MS })
  readonly #main: MainKeeper

  constructor(main: MainKeeper) {
    this.#main = main
  }

  /** Waits for the caller's turn, and for main to hold still. Call it before the head is told to a client about to push. */
  async expect(site: SiteRef, principal: Principal): Promise<void> {
    await this.#take(site, makerNameOf(principal))
    await this.#main.expect(site)
  }

  /** Does the same for a client that fetches after a refused push, since it may be rebasing. Call it before the head is told. */
  async expectAgain(site: SiteRef, principal: Principal | undefined): Promise<void> {
    const hasTried = principal !== undefined && this.#tried.has(keyOf(site, makerNameOf(principal)))
    if (hasTried) await this.expect(site, principal)
  }

  /** Keeps main still while the caller's push is read and judged, if it has the place. Returns a function that ends this. */
  hold(site: SiteRef, principal: Principal): () => void {
    const holder = makerNameOf(principal)
    if (this.#keep(site, holder)) this.#main.holdStill(site)
    const signs = setInterval(() => this.#keep(site, holder), SIGN_OF_PUSH_MS)
    return () => clearInterval(signs)
  }

  /** Frees the place after the caller's push has landed; the next one goes on. */
  leave(site: SiteRef, principal: Principal): void {
    const holder = makerNameOf(principal)
    this.#tried.delete(keyOf(site, holder))
    if (this.#places.get(site.id)?.holder === holder) this.#free(site.id)
  }

  /** Resolves when `holder` has the place at the site, or has waited long enough. */
  async #take(site: SiteRef, holder: string): Promise<void> {
    this.#tried.set(keyOf(site, holder), true)
    const end = performance.now() + MAX_WAIT_MS
    for (let isNew = true; !this.#tryToTake(site, holder, isNew); isNew = false) {
      const left = end - performance.now()
      if (left <= 0) return
      await this.#wait(site.id, Math.min(left, this.#freeIn(site.id)))
    }
  }

  /** Notes a sign of the holder. Returns false if it does not have the place. */
  #keep(site: SiteRef, holder: string): boolean {
    const place = this.#placeAt(site.id)
    if (place?.holder !== holder) return false
    place.lastSign = performance.now()
    return true
  }

  /** Tries to take the place. Clients that wait go before new ones. */
  #tryToTake(site: SiteRef, holder: string, isNew: boolean): boolean {
    if (this.#keep(site, holder)) return true
    if (this.#placeAt(site.id) !== undefined || (isNew && this.#lines.has(site.id))) return false
    const now = performance.now()
    const signs = setInterval(() => {
      if (this.#placeAt(site.id) !== undefined) this.#main.holdStill(site)
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

  /** Returns the milliseconds until the place is free. */
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

function keyOf(site: SiteRef, holder: string): string {
  return `${site.id} ${holder}`
}
