// The read barrier: before a node answers a read, it asks PostgreSQL once which heads have moved, and fetches them before it goes on. One
// running query serves all waiting requests. So a read sees every write that any node acknowledged before the read began, and no clock
// decides. A site that cannot be brought here is refused; the others go on.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { mainOf, placeIdOf } from '../repository/protocol/site-place.js'
import type { SiteRef } from '../repository/protocol/write.js'
import { SharedRun } from '../threads/shared-run.js'
import type { CatalogPosition, Move, Moves, SiteRefs } from './primary.js'
import { Stalls } from './stalls.js'

/** Pace at which a node without readers follows, and tries again sites that it could not bring here. */
const PACE_MS = 1000
/** A starting node that lacks more sites than this fetches them in the background, and no request waits for all. */
const FEW = 16
/** Number of sites fetched at once while no request waits. */
const AT_ONCE = 4
/** Time for which sites are compared before other work gets its turn. */
const TURN_MS = 20
/** Time that a request waits for a site. A large push takes longer to arrive, and the other sites do not wait for it. */
const PATIENCE_MS = 2000

export interface ReadBarrierParts {
  /** Returns the moves since an earlier poll, or all moves. Rejects if PostgreSQL does not answer. */
  moves: (since: string | undefined) => Promise<Moves>
  /** Brings the catalog here to that position, or a later one. */
  followCatalog: (position: CatalogPosition) => Promise<void>
  /** Makes this machine know the keys that sign commits, as of that version or a later one. */
  followSigners: (mark: string) => Promise<void>
  /** Returns the site with this id; undefined if this node does not know it. */
  siteOf: (id: string) => SiteRef | undefined
  /** Whether this machine has these refs of the site, or of the change request. */
  isAt: (site: SiteRef, refs: SiteRefs) => boolean
  /** Brings the site, or the change request, to the present end of its log. */
  follow: (site: SiteRef) => Promise<void>
  /** Called once what another node has ended is gone here too. */
  onEnded: (site: SiteRef) => void
  /** Called if the site cannot be brought here: until `onCurrent` its requests are refused. */
  onStalled: (site: SiteRef, error: unknown) => void
  onCurrent: (site: SiteRef) => void
  /** Called for each of many sites that are not here yet: until `onCurrent` its requests are refused. */
  onAway: (site: SiteRef) => void
  /** Called if PostgreSQL does not answer while no request waits. */
  onFailure: (error: unknown) => void
}

export class ReadBarrier {
  readonly #parts: ReadBarrierParts
  readonly #polls: SharedRun<void>
  /** By id of a site or a change request, as all that follows. */
  readonly #refs = new Map<string, Move>()
  /** Those that moved and did not follow since. */
  readonly #behind = new Set<string>()
  readonly #follows = new Map<string, SharedRun<void>>()
  readonly #stalls: Stalls
  readonly #patienceMs: number
  readonly #pace: NodeJS.Timeout
  #upTo: string | undefined
  /** Whether sites are being fetched in the background. */
  #isFollowing = false
  /** Start of the last finished poll, on the monotonic clock. */
  #polledAt = -Infinity
  /** Whether the catalog here is as the last poll found it. */
  #hasCatalog = false

  constructor(parts: ReadBarrierParts, patienceMs = PATIENCE_MS) {
    this.#parts = parts
    this.#patienceMs = patienceMs
    this.#stalls = new Stalls(parts)
    this.#polls = new SharedRun(() => this.#poll())
    this.#pace = setInterval(() => void this.#followAll(), PACE_MS).unref()
  }

  /** Whether this machine knows what it lacks. */
  hasPolled(): boolean {
    return this.#polledAt > -Infinity
  }

  /**
   * Resolves when this machine has every commit that was acknowledged before the call, except of sites reported as stalled.
   * Rejects if PostgreSQL does not answer.
   */
  async untilCurrent(): Promise<void> {
    await this.#polls.after()
    const waiting = this.#knownBehind((id) => !this.#stalls.mustSkip(id))
    if (waiting.length > 0) await Promise.all(waiting.map((site) => this.#followInTime(site)))
  }

  /** Whether the catalog here is complete as of a poll within the last milliseconds. */
  hadCatalogWithin(milliseconds: number): boolean {
    return this.#hasCatalog && performance.now() - this.#polledAt < milliseconds
  }

  /** Returns the start of the last finished poll, on the monotonic clock. */
  polledAt(): number {
    return this.#polledAt
  }

  /** Whether the site is known to have moved, and may be older here. */
  isBehind(siteId: string): boolean {
    return this.#behind.has(siteId)
  }

  /** Returns the sites and change requests that are known to have moved, and may be older here. */
  listBehind(): SiteRef[] {
    return this.#knownBehind()
  }

  /** Brings a site back to its log after its refs were moved on this machine by path. Rejects if PostgreSQL does not answer. */
  async putRight(site: SiteRef): Promise<void> {
    const refs = this.#refs.get(site.id)
    if (refs === undefined || this.#parts.isAt(site, refs)) return
    // A write may have moved it just now.
    await this.#polls.after()
    await this.#follow(site)
  }

  close(): void {
    clearInterval(this.#pace)
  }

  /** Lists what is behind. A site that is not in the catalog yet has no readers. */
  #knownBehind(isWanted = (_id: string) => true): SiteRef[] {
    return [...this.#behind].filter(isWanted).flatMap((id) => this.#placeOf(id) ?? [])
  }

  #placeOf(id: string): SiteRef | undefined {
    const requestOf = this.#refs.get(id)?.requestOf ?? undefined
    const site = this.#parts.siteOf(requestOf ?? id)
    return site && (requestOf === undefined ? site : { ...site, request: id })
  }

  async #poll(): Promise<void> {
    const begun = performance.now()
    const { catalog, signers, sites, upTo } = await this.#parts.moves(this.#upTo)
    this.#hasCatalog = false
    // The catalog comes first: a site made by another node must be known before its repository is requested.
    await this.#parts.followCatalog(catalog)
    this.#hasCatalog = true
    // The signers come before the commits: the maker of a commit must be known before the commit is here.
    await this.#parts.followSigners(signers)
    for (const move of sites) {
      const known = this.#refs.get(move.site)
      if (known?.head === move.head && known.tags === move.tags) continue
      this.#refs.set(move.site, move)
      this.#behind.add(move.site)
    }
    if (this.#upTo === undefined) await this.#findAway()
    this.#upTo = upTo
    this.#polledAt = begun
  }

  /** Finds at the start which sites are already here. If many are not, their requests are refused until they are. */
  async #findAway(): Promise<void> {
    const away: SiteRef[] = []
    let turnEnds = performance.now() + TURN_MS
    for (const site of this.#knownBehind()) {
      const refs = this.#refs.get(placeIdOf(site))
      if (refs !== undefined && this.#parts.isAt(site, refs)) this.#behind.delete(placeIdOf(site))
      else away.push(site)
      if (performance.now() < turnEnds) continue
      await nextTurn()
      turnEnds = performance.now() + TURN_MS
    }
    if (away.length > FEW) for (const site of away) this.#stalls.setAway(site)
  }

  async #followInTime(site: SiteRef): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#stalls.begin(site, new Error(`it takes longer than ${this.#patienceMs} ms to fetch`))
        resolve()
      }, this.#patienceMs)
    })
    await Promise.race([late, this.#follow(site)])
    clearTimeout(timer)
  }

  /** Replays a site. Waiting callers share one replay; one that began before a caller's poll may have read an older head. */
  async #follow(site: SiteRef): Promise<void> {
    const id = placeIdOf(site)
    const refs = this.#refs.get(id)
    if (refs === undefined || !this.#parts.isAt(site, refs) || this.#stalls.has(id)) {
      const follow = this.#follows.get(id) ?? new SharedRun(() => this.#stalls.watch(site, () => this.#replay(site)))
      this.#follows.set(id, follow)
      await follow.after()
    }
    // Another poll may have found that it moved again.
    if (this.#refs.get(id) !== refs || this.#stalls.has(id)) return
    if (this.#behind.delete(id) && refs?.head === null) this.#parts.onEnded(site)
  }

  /** Replays a site, or a change request after its main, from which it borrows: what the last poll found of it needs no later main. */
  async #replay(site: SiteRef): Promise<void> {
    if (site.request !== undefined) {
      await this.#follow(mainOf(site))
      if (this.#stalls.has(site.id)) throw new Error('main of its site cannot be fetched')
    }
    await this.#parts.follow(site)
  }

  async #followAll(): Promise<void> {
    try {
      await this.#polls.after()
    } catch (error) {
      return this.#parts.onFailure(error)
    }
    if (this.#isFollowing) return
    this.#isFollowing = true
    const sites = this.#knownBehind().values()
    const followNext = async () => {
      for (const site of sites) await this.#follow(site)
    }
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, followNext))
    } finally {
      this.#isFollowing = false
    }
  }
}
