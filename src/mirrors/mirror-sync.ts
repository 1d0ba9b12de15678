// Keeps the mirrors of sites up to date: is told when main or a tag of a mirrored site moves, through whatever door, and pushes. A few at
// once, each workspace its share; those that failed wait longer each time. A mirror of which nothing moves costs nothing.

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Mirror } from '../catalog/remotes/mirrors.js'
import type { Site } from '../catalog/sites.js'
import type { RemoteCredentials } from '../remotes/remote.js'
import { FollowedSites } from './followed-sites.js'
import { NextCall } from './next-call.js'
import { sealCredentials } from './sealed-credentials.js'
import { isSameSet, tagEntry } from './tag-changes.js'
import { tryMirror, type TryParts } from './try-mirror.js'

export interface MirrorParts extends TryParts {
  /** A mirror came into another state, or fails for another reason. */
  onEvent: (what: string, site: Site, mirror: Mirror, error?: unknown) => void
  /** The mirrors could not be looked at. */
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

/** From a move to the look at it: what moves at once is looked at once. */
const LOOK_MS = 20
/** Between two looks while there is no room for all that are due. */
const WAIT_MS = 250
/** After the catalog has failed. */
const REST_MS = 60_000
/** Between two looks at all mirrors: for moves that the system does not tell of, as on some network disks. */
const PATROL_MS = 600_000
/** Sites that are looked at in one turn of the event loop: each look asks the disk. */
const LOOKS_PER_TURN = 50
/** At once; of them those that have just begun: a remote that hangs takes nobody's place for longer than SLOW_MS. */
const MAX_PUSHES = 32
const MAX_FRESH_PUSHES = 8
const SLOW_MS = 5_000
const MAX_PUSHES_OF_WORKSPACE = 2

export class MirrorSync {
  readonly #parts: MirrorParts
  readonly #followed: FollowedSites
  /** Sites that are to be looked at, with how often their mirrors failed: those that failed least come first. */
  readonly #due = new Map<string, number>()
  /** Under way, by the site's id. */
  readonly #pushes = new Map<string, Push>()
  #looks: Promise<void> = Promise.resolve()
  readonly #nextLook = new NextCall(() => this.#look(() => this.#lookAtDue()))
  #patrol: NodeJS.Timeout | undefined
  /** Only while it follows the mirrors does it push. */
  #isOn = false

  constructor(parts: MirrorParts) {
    this.#parts = parts
    this.#followed = new FollowedSites({
      repositories: parts.store.repositories,
      onTold: (siteId) => this.#told(siteId),
      onUnwatched: (site, error) => {
        const mirror = parts.catalog.mirrors.find(site.id)
        if (mirror !== undefined)
          parts.onEvent('mirror: the system tells of no moves of this site', site, mirror, error)
      },
    })
  }

  /** Follows all mirrored sites from now on. */
  start(): void {
    this.#isOn = true
    this.#patrol = setInterval(() => this.#look(() => this.#patrolAll()), PATROL_MS).unref()
    this.#look(() => this.#patrolAll())
  }

  /** In place of the site's mirror, where it has one; tried at once. Throws `conflict` where no credentials can be kept. */
  async set(siteId: string, url: URL, credentials: RemoteCredentials | undefined): Promise<Mirror> {
    const place = { siteId, url: url.href }
    const sealedCredentials =
      credentials === undefined ? null : sealCredentials(this.#parts.secrets, place, credentials)
    const untried = { state: 'behind', remoteOid: null, error: null, failures: 0, nextTryAt: 0, okAt: null } as const
    return await this.#change({ ...place, sealedCredentials, ...untried })
  }

  /** Has it tried at once, whatever became of it before. */
  async retry(mirror: Mirror): Promise<Mirror> {
    return await this.#change({ ...mirror, state: 'behind', error: null, failures: 0, nextTryAt: 0 })
  }

  /** False where the site has none. A push that is under way ends. */
  async remove(siteId: string): Promise<boolean> {
    const isRemoved = await this.#parts.catalog.mirrors.remove(siteId)
    this.#followed.unfollow(siteId)
    this.#pushes.get(siteId)?.stop.abort()
    return isRemoved
  }

  /** Another node may have set, retried or removed mirrors. */
  lookAgain(): void {
    if (this.#isOn) this.#look(() => this.#patrolAll())
  }

  /** Follows none any more, and ends the pushes that are under way. */
  stop(): void {
    this.#isOn = false
    clearInterval(this.#patrol)
    this.#nextLook.cancel()
    this.#followed.close()
    this.#due.clear()
    for (const { stop } of this.#pushes.values()) stop.abort()
  }

  async close(): Promise<void> {
    this.stop()
    await this.#looks
    await Promise.all(Array.from(this.#pushes.values(), ({ ended }) => ended))
  }

  /** What is under way learns nothing of it, and is forgotten. */
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
      if (at % LOOKS_PER_TURN === LOOKS_PER_TURN - 1) await nextTurn()
      if (!this.#isOn) return
      const [site] = catalog.sites.findByIdPrefix(siteId)
      if (site === undefined) continue
      this.#followed.follow(site)
      this.#due.set(siteId, failures)
    }
    this.#lookIn(LOOK_MS)
  }

  /** Something of the site moved, or it is time to try its mirror again. */
  #told(siteId: string): void {
    if (!this.#isOn || this.#due.has(siteId)) return
    this.#due.set(siteId, this.#parts.catalog.mirrors.find(siteId)?.failures ?? 0)
    this.#lookIn(LOOK_MS)
  }

  #lookIn(ms: number): void {
    if (this.#isOn) this.#nextLook.within(ms)
  }

  /** One look after the other. */
  #look(look: () => Promise<void>): void {
    this.#looks = this.#looks.then(look).catch((error: unknown) => {
      this.#parts.onError(error)
      this.#lookIn(REST_MS)
    })
  }

  async #lookAtDue(): Promise<void> {
    const { catalog } = this.#parts
    const due = [...this.#due].toSorted(([, a], [, b]) => a - b)
    for (const [at, [siteId]] of due.entries()) {
      if (at % LOOKS_PER_TURN === LOOKS_PER_TURN - 1) await nextTurn()
      if (!this.#isOn || !this.#hasRoom()) break
      const [site] = catalog.sites.findByIdPrefix(siteId)
      if (site !== undefined && !this.#hasTurn(site)) continue
      this.#due.delete(siteId)
      // Somebody may have changed or removed it since it was told of.
      const mirror = catalog.mirrors.find(siteId)
      if (site !== undefined && mirror !== undefined && this.#isDue(site, mirror)) this.#begin(site, mirror)
    }
    if (this.#due.size > 0) this.#lookIn(WAIT_MS)
  }

  #hasRoom(): boolean {
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
        // Nothing says that it was tried: it would be tried again at once.
        await pause(REST_MS, undefined, { signal: stop.signal, ref: false }).catch(() => undefined)
      })
      .finally(() => {
        this.#pushes.delete(site.id)
        // What moved meanwhile, and when it is tried again.
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

  /** Records what becomes of the push, unless it was stopped: then the mirror is another one, or gone. */
  async #push(site: Site, before: Mirror, stopped: AbortSignal): Promise<void> {
    const { mirror, cause } = await tryMirror(this.#parts, site, before, stopped)
    if (stopped.aborted) return
    await this.#parts.catalog.mirrors.settle(before, mirror)
    if (mirror.state !== before.state || mirror.error !== before.error)
      this.#parts.onEvent(`mirror: ${mirror.state}`, site, mirror, cause)
  }
}
