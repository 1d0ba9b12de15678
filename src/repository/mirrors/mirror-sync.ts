// Keeps the mirrors of sites up to date. It is told when main or a tag of a mirrored site moves, by any kind of write, and then pushes.
// A few pushes run at once, with a limit per workspace. A failed mirror waits longer after each failure. An unchanged mirror costs nothing.

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Mirror } from '../../catalog/remotes/mirrors.js'
import type { Site } from '../../catalog/site.js'
import type { RemoteCredentials } from '../../git/remotes/remote.js'
import { FollowedSites } from './followed-sites.js'
import { NextCall } from './next-call.js'
import { sealCredentials } from './sealed-credentials.js'
import { isSameSet, tagEntry } from './tag-changes.js'
import { tryMirror, type TryParts } from './try-mirror.js'

export interface MirrorParts extends TryParts {
  /** Called when a mirror gets another state, or fails for another reason. */
  onEvent: (what: string, site: Site, mirror: Mirror, error?: unknown) => void
  /** Called when the mirrors could not be checked. */
  onError: (error: unknown) => void
}

interface Push {
  workspaceId: string
  url: string
  /** On the monotonic clock, milliseconds. */
  begunAt: number
  stop: AbortController
  ended: Promise<void>
}

/** Delay from a move to the check: moves at the same time are checked together. */
const CHECK_MS = 20
/** Delay between two checks while there is no room for all that are due. */
const WAIT_MS = 250
/** Pause after an error of the catalog. */
const REST_MS = 60_000
/** Interval of the check of all mirrors: some systems, such as network disks, do not report all moves. */
const PATROL_MS = 600_000
/** Sites checked in one turn of the event loop: each check reads the disk. */
const CHECKS_PER_TURN = 50
/** Concurrent pushes. Only MAX_FRESH_PUSHES of them may be newer than SLOW_MS, so a hanging remote blocks others no longer than that. */
const MAX_PUSHES = 32
const MAX_FRESH_PUSHES = 8
const SLOW_MS = 5_000
const MAX_PUSHES_OF_WORKSPACE = 2

export class MirrorSync {
  readonly #parts: MirrorParts
  readonly #followed: FollowedSites
  /** Sites to check, with the failures of their mirrors. Those with the fewest failures come first. */
  readonly #due = new Map<string, number>()
  /** Pushes under way, by site id. */
  readonly #pushes = new Map<string, Push>()
  #checks: Promise<void> = Promise.resolve()
  readonly #nextCheck = new NextCall(() => this.#enqueue(() => this.#checkDue()))
  #patrol: NodeJS.Timeout | undefined
  /** Whether it follows the mirrors; it pushes only then. */
  #isOn = false

  constructor(parts: MirrorParts) {
    this.#parts = parts
    this.#followed = new FollowedSites({
      repositories: parts.store.repositories,
      onTold: (siteId) => this.#told(siteId),
      onUnwatched: (site, error) => {
        const mirror = parts.catalog.mirrors.find(site.id)
        if (mirror !== undefined) parts.onEvent('mirror: cannot watch this site for changes', site, mirror, error)
      },
    })
  }

  /** Follows all mirrored sites from now on. */
  start(): void {
    this.#isOn = true
    this.#patrol = setInterval(() => this.#enqueue(() => this.#patrolAll()), PATROL_MS).unref()
    this.#enqueue(() => this.#patrolAll())
  }

  /** Sets or replaces the site's mirror, and tries it at once. Throws `conflict` if the service cannot keep credentials. */
  async set(siteId: string, url: URL, credentials: RemoteCredentials | undefined): Promise<Mirror> {
    const place = { siteId, url: url.href }
    const sealedCredentials =
      credentials === undefined ? null : sealCredentials(this.#parts.secrets, place, credentials)
    const untried = { state: 'behind', remoteOid: null, error: null, failures: 0, nextTryAt: 0, okAt: null } as const
    return await this.#change({ ...place, sealedCredentials, ...untried })
  }

  /** Tries the mirror now, also after failures. */
  async retry(mirror: Mirror): Promise<Mirror> {
    return await this.#change({ ...mirror, state: 'behind', error: null, failures: 0, nextTryAt: 0 })
  }

  /** Removes the site's mirror and ends a push under way. Resolves to false if the site has none. */
  async remove(siteId: string): Promise<boolean> {
    const isRemoved = await this.#parts.catalog.mirrors.remove(siteId)
    this.#followed.unfollow(siteId)
    this.#pushes.get(siteId)?.stop.abort()
    return isRemoved
  }

  /** Checks all mirrors: another machine may have set, retried or removed some. */
  recheck(): void {
    if (this.#isOn) this.#enqueue(() => this.#patrolAll())
  }

  /** Stops following mirrors, and ends the pushes under way. */
  stop(): void {
    this.#isOn = false
    clearInterval(this.#patrol)
    this.#nextCheck.cancel()
    this.#followed.close()
    this.#due.clear()
    for (const { stop } of this.#pushes.values()) stop.abort()
  }

  async close(): Promise<void> {
    this.stop()
    await this.#checks
    await Promise.all(Array.from(this.#pushes.values(), ({ ended }) => ended))
  }

  /** Stores the mirror, and stops a push under way for the old one. The result of that push is not recorded. */
  async #change(mirror: Mirror): Promise<Mirror> {
    await this.#parts.catalog.mirrors.put(mirror)
    this.#pushes.get(mirror.siteId)?.stop.abort()
    const [site] = this.#parts.catalog.sites.findByIdPrefix(mirror.siteId)
    if (site !== undefined && this.#isOn) this.#followed.follow(site)
    this.#told(mirror.siteId)
    return mirror
  }

  async #patrolAll(): Promise<void> {
    const { catalog } = this.#parts
    for (const [siteId, { url, stop }] of this.#pushes) if (catalog.mirrors.find(siteId)?.url !== url) stop.abort()
    for (const [at, { siteId, failures }] of catalog.mirrors.list().entries()) {
      if (at % CHECKS_PER_TURN === CHECKS_PER_TURN - 1) await nextTurn()
      if (!this.#isOn) return
      const [site] = catalog.sites.findByIdPrefix(siteId)
      if (site === undefined) continue
      this.#followed.follow(site)
      this.#due.set(siteId, failures)
    }
    this.#checkIn(CHECK_MS)
  }

  /** Notes that something of the site moved, or that it is time to retry its mirror. */
  #told(siteId: string): void {
    if (!this.#isOn || this.#due.has(siteId)) return
    this.#due.set(siteId, this.#parts.catalog.mirrors.find(siteId)?.failures ?? 0)
    this.#checkIn(CHECK_MS)
  }

  #checkIn(ms: number): void {
    if (this.#isOn) this.#nextCheck.within(ms)
  }

  /** Runs one check after the other. */
  #enqueue(check: () => Promise<void>): void {
    this.#checks = this.#checks.then(check).catch((error: unknown) => {
      this.#parts.onError(error)
      this.#checkIn(REST_MS)
    })
  }

  async #checkDue(): Promise<void> {
    const { catalog } = this.#parts
    const due = [...this.#due].toSorted(([, a], [, b]) => a - b)
    for (const [at, [siteId]] of due.entries()) {
      if (at % CHECKS_PER_TURN === CHECKS_PER_TURN - 1) await nextTurn()
      if (!this.#isOn || !this.#hasPlace()) break
      const [site] = catalog.sites.findByIdPrefix(siteId)
      if (site !== undefined && !this.#hasTurn(site)) continue
      this.#due.delete(siteId)
      // The mirror may have been changed or removed since.
      const mirror = catalog.mirrors.find(siteId)
      if (site !== undefined && mirror !== undefined && this.#isDue(site, mirror)) this.#begin(site, mirror)
    }
    if (this.#due.size > 0) this.#checkIn(WAIT_MS)
  }

  #hasPlace(): boolean {
    const since = performance.now() - SLOW_MS
    const fresh = Array.from(this.#pushes.values()).filter(({ begunAt }) => begunAt > since)
    return this.#pushes.size < MAX_PUSHES && fresh.length < MAX_FRESH_PUSHES
  }

  #hasTurn({ id, workspaceId }: Site): boolean {
    const ofWorkspace = Array.from(this.#pushes.values()).filter((push) => push.workspaceId === workspaceId)
    return !this.#pushes.has(id) && ofWorkspace.length < MAX_PUSHES_OF_WORKSPACE
  }

  #isDue(site: Site, mirror: Mirror): boolean {
    const { state, nextTryAt } = mirror
    if (state === 'off' || state === 'diverged') return false
    const waits = nextTryAt - this.#parts.clock().getTime()
    if (waits > 0) this.#followed.tellIn(site.id, waits)
    else if (state !== 'ok') return true
    return waits <= 0 && this.#isMoved(site, mirror)
  }

  #isMoved(site: Site, { remoteOid }: Mirror): boolean {
    const { store, catalog } = this.#parts
    try {
      const { main, tags } = store.refs(site)
      const here = new Set(tags.map(({ name, oid }) => tagEntry(name, oid)))
      return main !== remoteOid || !isSameSet(here, catalog.mirrors.tagsOf(site.id))
    } catch {
      // There is nothing to push; the patrol reports a repository that cannot be read.
      return false
    }
  }

  #begin(site: Site, mirror: Mirror): void {
    const stop = new AbortController()
    const ended = this.#push(site, mirror, stop.signal)
      .catch(async (error: unknown) => {
        this.#parts.onEvent('mirror: cannot be recorded', site, mirror, error)
        // Without a record of this try, it would be tried again at once.
        await pause(REST_MS, undefined, { signal: stop.signal, ref: false }).catch(() => undefined)
      })
      .finally(() => {
        this.#pushes.delete(site.id)
        // Something may have moved meanwhile; this also plans the next try.
        this.#told(site.id)
      })
    this.#pushes.set(site.id, {
      workspaceId: site.workspaceId,
      url: mirror.url,
      begunAt: performance.now(),
      stop,
      ended,
    })
  }

  /** Records the result of the push. If the push was stopped, the mirror was replaced or removed, and nothing is recorded. */
  async #push(site: Site, before: Mirror, stopped: AbortSignal): Promise<void> {
    const { mirror, cause } = await tryMirror(this.#parts, site, before, stopped)
    if (stopped.aborted) return
    await this.#parts.catalog.mirrors.settle(before, mirror)
    if (mirror.state !== before.state || mirror.error !== before.error)
      this.#parts.onEvent(`mirror: ${mirror.state}`, site, mirror, cause)
  }
}
