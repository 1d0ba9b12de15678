// Keeps the mirrors of sites up to date: looks four times a second which sites have moved, through whatever door, and pushes their main. A
// few at once, each workspace its share; those that failed wait longer each time.

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Catalog } from '../catalog/catalog.js'
import type { Mirror } from '../catalog/remotes/mirrors.js'
import type { Site } from '../catalog/sites.js'
import { type Clock, toSeconds, toTimestamp } from '../model/clock.js'
import { ServiceError } from '../model/errors.js'
import type { PrivateRemotes } from '../remotes/remote-address.js'
import { RemoteFailed } from '../remotes/remote-failed.js'
import type { RemoteCredentials } from '../remotes/remote.js'
import type { Store } from '../store/store.js'
import { pushMirror } from './push-mirror.js'
import { openCredentials, sealCredentials } from './sealed-credentials.js'
import type { SecretBox } from './secret-box.js'

export interface MirrorParts {
  catalog: Catalog
  store: Store
  clock: Clock
  privateRemotes: PrivateRemotes
  /** Undefined where the service has no key for secrets. */
  secrets: SecretBox | undefined
  /** A mirror came into another state, or fails for another reason. */
  onEvent: (what: string, site: Site, mirror: Mirror, error?: unknown) => void
  /** The mirrors could not be looked at. */
  onError: (error: unknown) => void
}

interface Push {
  workspaceId: string
  /** On the monotonic clock, milliseconds. */
  begunAt: number
  stop: AbortController
  ended: Promise<void>
}

const LOOK_MS = 250
/** After the catalog has failed. */
const REST_MS = 60_000
/** Sites that are looked at in one turn of the event loop: each look asks the disk. */
const LOOKS_PER_TURN = 50
const MAX_PUSH_MS = 30 * 60_000
/** At once; of them those that have just begun: a remote that hangs takes nobody's place for longer than SLOW_MS. */
const MAX_PUSHES = 32
const MAX_FRESH_PUSHES = 8
const SLOW_MS = 5_000
const MAX_PUSHES_OF_WORKSPACE = 2
/** Before the next try, after the first failure, the second, and so on. */
const RETRY_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000]
const MAX_RETRY_MS = 3_600_000

const NEEDS_CREDENTIALS =
  'The mirror needs its credentials: the service cannot read those that it keeps. Set the mirror again, with its user name and password, or retry once the operator has put SECRETS_KEY_FILE back.'
const DIVERGED =
  'The remote has commits that this site does not have. Nothing is pushed until you retry: bring them into this site, or put the remote back.'
const FAILED_HERE = 'The service could not push. Its log has the reason.'

export class MirrorSync {
  readonly #parts: MirrorParts
  /** Under way, by the site's id. */
  readonly #pushes = new Map<string, Push>()
  #looks: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(parts: MirrorParts) {
    this.#parts = parts
  }

  /** Looks from now on, for the first time after `waitMs`. */
  start(waitMs = LOOK_MS): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#looks = this.#looks
        .then(() => this.#lookAtAll())
        .then(
          () => LOOK_MS,
          (error: unknown) => {
            this.#parts.onError(error)
            return REST_MS
          },
        )
        .then((next) => {
          if (!this.#isClosed) this.start(next)
        })
    }, waitMs).unref()
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
    this.#pushes.get(siteId)?.stop.abort()
    return isRemoved
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#looks
    for (const { stop } of this.#pushes.values()) stop.abort()
    await Promise.all(Array.from(this.#pushes.values(), ({ ended }) => ended))
  }

  /** What is under way learns nothing of it, and is forgotten. */
  async #change(mirror: Mirror): Promise<Mirror> {
    await this.#parts.catalog.mirrors.put(mirror)
    this.#pushes.get(mirror.siteId)?.stop.abort()
    this.start(0)
    return mirror
  }

  async #lookAtAll(): Promise<void> {
    const { catalog } = this.#parts
    for (const [at, listed] of catalog.mirrors.listActive().entries()) {
      if (at % LOOKS_PER_TURN === LOOKS_PER_TURN - 1) await nextTurn()
      if (this.#isClosed || !this.#hasRoom()) return
      const [site] = catalog.sites.findByIdPrefix(listed.siteId)
      if (site === undefined || !this.#hasTurn(site) || !this.#isDue(site, listed)) continue
      // Somebody may have changed or removed it since it was listed.
      const mirror = catalog.mirrors.find(site.id)
      if (mirror !== undefined && this.#isDue(site, mirror)) this.#begin(site, mirror)
    }
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

  #isDue(site: Site, { state, remoteOid, nextTryAt }: Mirror): boolean {
    const { store, clock } = this.#parts
    if (state === 'off' || state === 'diverged' || nextTryAt > clock().getTime()) return false
    if (state !== 'ok') return true
    try {
      return store.head(site) !== remoteOid
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
      .finally(() => this.#pushes.delete(site.id))
    this.#pushes.set(site.id, { workspaceId: site.workspaceId, begunAt: performance.now(), stop, ended })
  }

  /** Records what becomes of the push, unless it was stopped: then the mirror is another one, or gone. */
  async #push(site: Site, mirror: Mirror, stopped: AbortSignal): Promise<void> {
    let cause: unknown
    const found = await this.#try(site, mirror, stopped).catch((error: unknown) => {
      cause = error
      return this.#failed(mirror, error)
    })
    if (stopped.aborted) return
    const after = { ...mirror, ...found }
    await this.#parts.catalog.mirrors.settle(mirror, after)
    if (after.state !== mirror.state || after.error !== mirror.error)
      this.#parts.onEvent(`mirror: ${after.state}`, site, after, cause)
  }

  async #try(site: Site, mirror: Mirror, stopped: AbortSignal): Promise<Partial<Mirror>> {
    const { store, privateRemotes, secrets, clock } = this.#parts
    const credentials = openCredentials(secrets, mirror)
    if (credentials === undefined) return { state: 'off', error: NEEDS_CREDENTIALS }
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(MAX_PUSH_MS)])
    const from = { url: new URL(mirror.url), credentials: credentials ?? undefined, exceptions: privateRemotes, signal }
    const seen = await pushMirror(store, site, from, MAX_PUSH_MS)
    if (seen.state === 'diverged') return { ...seen, error: DIVERGED }
    return { ...seen, error: null, failures: 0, nextTryAt: 0, okAt: toTimestamp(toSeconds(clock())) }
  }

  #failed({ failures }: Mirror, error: unknown): Partial<Mirror> {
    const nextTryAt = this.#parts.clock().getTime() + (RETRY_MS[failures] ?? MAX_RETRY_MS)
    return { state: 'failed', error: sentenceOf(error), failures: failures + 1, nextTryAt }
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof RemoteFailed || error instanceof ServiceError) return error.message
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `The push took longer than ${MAX_PUSH_MS / 60_000} minutes.`
  return FAILED_HERE
}
