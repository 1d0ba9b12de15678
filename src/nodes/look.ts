// The look: before a node answers a read it asks PostgreSQL once which heads have moved, and has them here before it goes on. One
// query under way serves all that wait. So a read sees every write that was acknowledged before it began, through whichever node,
// and no clock decides. A site that cannot be brought here is refused, and the others go on.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SiteRef } from '../store/protocol/write.js'
import { SharedRun } from '../threads/shared-run.js'
import type { CatalogPosition, Moves, SiteRefs } from './primary.js'
import { Stalls } from './stalls.js'

/** A node that nobody reads follows at this pace, and tries sites again that it could not bring here. */
const PACE_MS = 1000
/** A node that lacks more sites than this when it starts fetches them by and by, and no request waits for all. */
const FEW = 16
/** So many sites are fetched at once while nobody waits. */
const AT_ONCE = 4
/** How long the sites are compared before other work has its turn. */
const TURN_MS = 20
/** How long a request waits for a site: a large push travels for longer, and the other sites do not wait for it. */
const PATIENCE_MS = 2000

export interface LookParts {
  /** What moved since a look; all where none is given. Rejects where PostgreSQL does not answer. */
  moves: (since: string | undefined) => Promise<Moves>
  /** Brings the catalog here to that position, or a later one. */
  followCatalog: (position: CatalogPosition) => Promise<void>
  /** Has this machine know the keys that sign commits, as of that mark or a later one. */
  followSigners: (mark: string) => Promise<void>
  /** The site with this id; undefined where this node knows none. */
  siteOf: (id: string) => SiteRef | undefined
  /** Whether the site's repository on this machine has main and tags like this. */
  isAt: (site: SiteRef, refs: SiteRefs) => boolean
  /** Brings the repository to what the log holds by now. */
  follow: (site: SiteRef) => Promise<void>
  /** The site cannot be brought here: until `onCurrent` nothing of it is answered. */
  onStalled: (site: SiteRef, error: unknown) => void
  onCurrent: (site: SiteRef) => void
  /** The site is one of many that are not here yet: until `onCurrent` nothing of it is answered. */
  onAway: (site: SiteRef) => void
  /** PostgreSQL does not answer, while nobody waits. */
  onFailure: (error: unknown) => void
}

export class Look {
  readonly #parts: LookParts
  readonly #looks: SharedRun<void>
  readonly #refs = new Map<string, SiteRefs>()
  /** Sites that moved and were not followed since. */
  readonly #behind = new Set<string>()
  readonly #follows = new Map<string, SharedRun<void>>()
  readonly #stalls: Stalls
  readonly #patienceMs: number
  readonly #pace: NodeJS.Timeout
  #upTo: string | undefined
  /** Whether sites are fetched while nobody waits. */
  #isFollowing = false
  /** When the last look that came to its end was begun, on the monotonic clock. */
  #lookedAt = -Infinity
  /** Whether the catalog here is what the last look saw. */
  #hasCatalog = false

  constructor(parts: LookParts, patienceMs = PATIENCE_MS) {
    this.#parts = parts
    this.#patienceMs = patienceMs
    this.#stalls = new Stalls(parts)
    this.#looks = new SharedRun(() => this.#look())
    this.#pace = setInterval(() => void this.#followAll(), PACE_MS).unref()
  }

  /** Whether this machine knows what it lacks. */
  hasLooked(): boolean {
    return this.#lookedAt > -Infinity
  }

  /**
   * Resolves when this machine has every commit that was acknowledged before the call, but for sites that were reported as stalled.
   * Rejects where PostgreSQL does not answer.
   */
  async untilCurrent(): Promise<void> {
    await this.#looks.after()
    const waiting = this.#knownBehind((id) => !this.#stalls.skip(id))
    if (waiting.length > 0) await Promise.all(waiting.map((site) => this.#followInTime(site)))
  }

  /** Whether all of the catalog is here that a look of the last milliseconds has seen. */
  hadCatalogWithin(milliseconds: number): boolean {
    return this.#hasCatalog && performance.now() - this.#lookedAt < milliseconds
  }

  /** When the last look that came to its end was begun, on the monotonic clock. */
  lookedAt(): number {
    return this.#lookedAt
  }

  /** The ids of the sites that are known to have moved, and may be older here. */
  sitesBehind(): ReadonlySet<string> {
    return this.#behind
  }

  /** Brings a site back to its log where somebody moved its refs on this machine by path. Rejects where PostgreSQL does not answer. */
  async putRight(site: SiteRef): Promise<void> {
    const refs = this.#refs.get(site.id)
    if (refs === undefined || this.#parts.isAt(site, refs)) return
    // It may have been written to just now.
    await this.#looks.after()
    await this.#follow(site)
  }

  close(): void {
    clearInterval(this.#pace)
  }

  /** A site that is not in the catalog yet is read by nobody. */
  #knownBehind(isWanted = (_id: string) => true): SiteRef[] {
    return [...this.#behind].filter(isWanted).flatMap((id) => this.#parts.siteOf(id) ?? [])
  }

  async #look(): Promise<void> {
    const begun = performance.now()
    const { catalog, signers, sites, upTo } = await this.#parts.moves(this.#upTo)
    this.#hasCatalog = false
    // A site that another node made is known before its repository is asked for.
    await this.#parts.followCatalog(catalog)
    this.#hasCatalog = true
    // Whose commit it is has to be known before the commit is here.
    await this.#parts.followSigners(signers)
    for (const { site, head, tags } of sites) {
      const known = this.#refs.get(site)
      if (known?.head === head && known.tags === tags) continue
      this.#refs.set(site, { head, tags })
      this.#behind.add(site)
    }
    if (this.#upTo === undefined) await this.#findAway()
    this.#upTo = upTo
    this.#lookedAt = begun
  }

  /** At the start: which sites are here already. Of many that are not, nothing is answered until they are. */
  async #findAway(): Promise<void> {
    const away: SiteRef[] = []
    let turnEnds = performance.now() + TURN_MS
    for (const site of this.#knownBehind()) {
      const refs = this.#refs.get(site.id)
      if (refs !== undefined && this.#parts.isAt(site, refs)) this.#behind.delete(site.id)
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

  /** Those who wait for a site share one replay; one that began before somebody's look may have read an older head. */
  async #follow(site: SiteRef): Promise<void> {
    const { id } = site
    const refs = this.#refs.get(id)
    if (refs === undefined || !this.#parts.isAt(site, refs) || this.#stalls.has(id)) {
      const follow = this.#follows.get(id) ?? new SharedRun(() => this.#stalls.watch(site, this.#parts.follow))
      this.#follows.set(id, follow)
      await follow.after()
    }
    // Another look may have seen it move again.
    if (this.#refs.get(id) === refs && !this.#stalls.has(id)) this.#behind.delete(id)
  }

  async #followAll(): Promise<void> {
    try {
      await this.#looks.after()
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
