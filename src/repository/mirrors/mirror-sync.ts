// Keeps the mirrors of sites up to date. Looks at a mirror when its site moved, and pushes what the remote lacks. Two gates decide how
// many are pushed to (src/admission/background-rows.ts). A failed mirror waits longer after each failure. An unchanged one costs nothing.

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Admission } from '../../admission/admission.js'
import type { Mirror } from '../../catalog/remotes/mirrors.js'
import type { Site } from '../../catalog/site.js'
import type { RemoteCredentials } from '../../git/remotes/remote.js'
import { RefWatch } from '../../git/repository/ref-watch.js'
import { SharedRun } from '../../threads/shared-run.js'
import { sealCredentials } from './sealed-credentials.js'
import { isSameSet, tagEntry } from './tag-changes.js'
import { tryMirror, type TryParts } from './try-mirror.js'

export interface MirrorParts extends TryParts {
  admission: Pick<Admission, 'gate'>
  /** Called when a mirror gets another state, or fails for another reason. */
  onEvent: (what: string, site: Site, mirror: Mirror, error?: unknown) => void
  /** Called when the mirrors could not be looked at. */
  onError: (error: unknown) => void
}

interface Followed {
  site: Site
  unwatch: () => void
  retry: NodeJS.Timeout | undefined
}

/** One look at a mirror, with the push that it may lead to. */
interface Look {
  /** The mirror as it was when its push began; undefined before. */
  pushed: Mirror | undefined
  stop: AbortController
  ended: Promise<void>
  /** Whether something may have moved since. */
  isOld: boolean
}

/** Delay from a move to the look: moves at the same time are looked at together. */
const GATHER_MS = 20
/** Pause of a mirror after an error of the catalog. */
const REST_MS = 60_000
/** Interval of the look at all mirrors: some systems, such as network disks, do not report all moves. */
const PATROL_MS = 600_000
/** Mirrors that are followed in one turn of the event loop. */
const FOLLOWED_PER_TURN = 50

export class MirrorSync {
  readonly #parts: MirrorParts
  /** By site id, as the looks. */
  readonly #followed = new Map<string, Followed>()
  readonly #looks = new Map<string, Look>()
  readonly #rounds = new SharedRun(() => this.#followAll())
  #patrol: NodeJS.Timeout | undefined
  /** Whether it follows the mirrors; it pushes only then. */
  #isOn = false

  constructor(parts: MirrorParts) {
    this.#parts = parts
  }

  /** Follows all mirrored sites from now on. */
  start(): void {
    this.#isOn = true
    this.#patrol = setInterval(() => this.recheck(), PATROL_MS).unref()
    this.recheck()
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
    this.#unfollow(siteId)
    this.#looks.get(siteId)?.stop.abort()
    return isRemoved
  }

  /** Looks at the site's mirror soon, if it has one: main or a tag may have moved. */
  look(siteId: string): void {
    const followed = this.#followed.get(siteId)
    if (!this.#isOn || followed === undefined) return
    const underWay = this.#looks.get(siteId)
    if (underWay === undefined) this.#begin(followed.site)
    else underWay.isOld = true
  }

  /** Looks at all mirrors: another machine may have set, retried or removed some. */
  recheck(): void {
    if (this.#isOn) this.#rounds.after().catch((error: unknown) => this.#parts.onError(error))
  }

  /** Stops following mirrors, and ends the pushes under way. */
  stop(): void {
    this.#isOn = false
    clearInterval(this.#patrol)
    for (const siteId of this.#followed.keys()) this.#unfollow(siteId)
    for (const { stop } of this.#looks.values()) stop.abort()
  }

  async close(): Promise<void> {
    this.stop()
    await Promise.all(Array.from(this.#looks.values(), ({ ended }) => ended))
  }

  /** Stores the mirror, and stops a push under way for the old one. The result of that push is not recorded. */
  async #change(mirror: Mirror): Promise<Mirror> {
    await this.#parts.catalog.mirrors.put(mirror)
    this.#looks.get(mirror.siteId)?.stop.abort()
    const [site] = this.#parts.catalog.sites.findByIdPrefix(mirror.siteId)
    if (site !== undefined && this.#isOn) this.#follow(site)
    this.look(mirror.siteId)
    return mirror
  }

  async #followAll(): Promise<void> {
    const { catalog } = this.#parts
    for (const [siteId, { pushed, stop }] of this.#looks)
      if (pushed !== undefined && catalog.mirrors.find(siteId)?.url !== pushed.url) stop.abort()
    for (const [at, { siteId }] of catalog.mirrors.list().entries()) {
      if (at % FOLLOWED_PER_TURN === FOLLOWED_PER_TURN - 1) await nextTurn()
      if (!this.#isOn) return
      const [site] = catalog.sites.findByIdPrefix(siteId)
      if (site === undefined) continue
      this.#follow(site)
      this.look(siteId)
    }
  }

  #follow(site: Site): void {
    if (this.#followed.has(site.id)) return
    this.#followed.set(site.id, { site, unwatch: this.#watch(site), retry: undefined })
  }

  #unfollow(siteId: string): void {
    const followed = this.#followed.get(siteId)
    followed?.unwatch()
    clearTimeout(followed?.retry)
    this.#followed.delete(siteId)
  }

  /** Has each move of main or a tag told at once, also by path. The patrol of all sites would notice it seconds later. */
  #watch(site: Site): () => void {
    const { store, catalog, onEvent } = this.#parts
    try {
      const watch = new RefWatch(store.repositories.gitdir(site), () => store.tellHead(site))
      return () => watch.close()
    } catch (error) {
      const mirror = catalog.mirrors.find(site.id)
      if (mirror !== undefined) onEvent('mirror: cannot watch this site for changes', site, mirror, error)
      return () => undefined
    }
  }

  #begin(site: Site): void {
    const look: Look = { pushed: undefined, stop: new AbortController(), ended: Promise.resolve(), isOld: false }
    this.#looks.set(site.id, look)
    look.ended = this.#run(site, look).finally(() => {
      this.#looks.delete(site.id)
      if (look.isOld) this.look(site.id)
    })
  }

  /** Never rejects. */
  async #run(site: Site, look: Look): Promise<void> {
    const { admission, catalog, onError, onEvent } = this.#parts
    const { signal } = look.stop
    try {
      await pause(GATHER_MS, undefined, { signal, ref: false })
      const part = catalog.mirrors.find(site.id)?.failures === 0 ? 'well' : 'failed'
      await admission.gate('mirrors').during(site.workspaceId, () => this.#lookAt(site, look), { part, signal })
    } catch (error) {
      if (signal.aborted) return
      if (look.pushed === undefined) onError(error)
      else onEvent('mirror: cannot be recorded', site, look.pushed, error)
      // It would otherwise be tried again at once.
      await pause(REST_MS, undefined, { signal, ref: false }).catch(() => undefined)
      look.isOld = true
    }
  }

  async #lookAt(site: Site, look: Look): Promise<void> {
    // Each look reads the disk: other work has its turn first.
    await nextTurn()
    look.stop.signal.throwIfAborted()
    look.isOld = false
    const mirror = this.#parts.catalog.mirrors.find(site.id)
    if (mirror !== undefined && this.#isDue(site, mirror)) await this.#push(site, mirror, look)
  }

  #isDue(site: Site, mirror: Mirror): boolean {
    const { state, nextTryAt } = mirror
    if (state === 'off' || state === 'diverged') return false
    const waits = nextTryAt - this.#parts.clock().getTime()
    if (waits > 0) this.#retryIn(site, waits)
    else if (state !== 'ok') return true
    return waits <= 0 && this.#isMoved(site, mirror)
  }

  #retryIn(site: Site, ms: number): void {
    const followed = this.#followed.get(site.id)
    if (followed === undefined) return
    clearTimeout(followed.retry)
    followed.retry = setTimeout(() => this.look(site.id), ms).unref()
  }

  #isMoved(site: Site, { remoteOid }: Mirror): boolean {
    const { store, catalog } = this.#parts
    try {
      const { main, tags } = store.reader.refs(site)
      const here = new Set(tags.map(({ name, oid }) => tagEntry(name, oid)))
      return main !== remoteOid || !isSameSet(here, catalog.mirrors.tagsOf(site.id))
    } catch {
      // There is nothing to push; the patrol reports a repository that cannot be read.
      return false
    }
  }

  /** Pushes, and records the result. If the push was stopped, the mirror was replaced or removed, and nothing is recorded. */
  async #push(site: Site, before: Mirror, look: Look): Promise<void> {
    const { admission, catalog, onEvent } = this.#parts
    const { signal } = look.stop
    look.pushed = before
    // Something may move meanwhile. The look after this one also plans the next try.
    look.isOld = true
    const { mirror, cause } = await admission
      .gate('starting-pushes')
      .during(site.workspaceId, () => tryMirror(this.#parts, site, before, signal), { signal })
    if (signal.aborted) return
    await catalog.mirrors.settle(before, mirror)
    if (mirror.state !== before.state || mirror.error !== before.error)
      onEvent(`mirror: ${mirror.state}`, site, mirror, cause)
  }
}
