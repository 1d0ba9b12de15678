// Makes the index follow the repositories. A read through this class first brings the index to the site's head. So it is at least as new as
// every write answered before it. A separate thread does the catching up.

import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { waited } from '../admission/waits.js'
import type { SiteIndex } from '../index/site-index.js'
import type { IndexAnswer, IndexQuery } from '../index/queries/index-reader.js'
import { IndexLost, IndexMoved } from '../index/tables/index-position.js'
import { type ErrorCode, ServiceError } from '../model/errors.js'
import type { LiveCommit } from '../repository/protocol/live-commits.js'
import { mainOf } from '../repository/protocol/site-place.js'
import type { SiteRef } from '../repository/protocol/write.js'
import { FollowedSite, type FollowerParts } from './followed-site.js'
import { SitesBehind } from './sites-behind.js'

/** Time that a read waits for a catch-up, which continues without it. */
const MAX_WAIT_MS = 10_000
/** Number of sites that catch up at the same time. */
const MAX_AT_ONCE = 8
/** Number of tries, if the index was lost or moved by another process. */
const MAX_TRIES = 5
/** Codes of a catch-up whose rows the disk did not take. */
const DISK_REFUSALS: ReadonlySet<ErrorCode> = new Set(['storage_full', 'storage_failed'])

export class SiteIndexFollower {
  readonly #parts: FollowerParts
  readonly #maxWaitMs: number
  readonly #sites = new Map<string, FollowedSite>()
  readonly #behind: SitesBehind

  constructor(parts: FollowerParts) {
    this.#parts = parts
    this.#maxWaitMs = parts.maxWaitMs ?? MAX_WAIT_MS
    this.#behind = new SitesBehind(parts.indexer, parts.store)
  }

  /**
   * Asks the index about a site, as of one moment, after catching up. `commit` is the commit that the answers describe.
   * Throws `site_unreadable`, and `site_busy` if catching up takes longer than `waitMs`.
   */
  async read<T>(site: SiteRef, ask: (index: SiteIndex, commit: string) => T, waitMs = this.#maxWaitMs): Promise<T> {
    const index = this.#parts.indexes.of(site.id, site.request)
    const asOfNow = () => {
      const { indexedCommit } = index
      if (indexedCommit === undefined) throw new IndexMoved('The index of the site is not there yet.')
      return ask(index, indexedCommit)
    }
    return await whileItMoves(async () => {
      const now = index.atOneMoment(() => {
        const catchUp = this.#followed(site).catchUp()
        return catchUp === undefined ? { answer: asOfNow() } : { catchUp }
      })
      if ('answer' in now) return now.answer
      await this.#until(site, now.catchUp, waitMs)
      return index.atOneMoment(asOfNow)
    })
  }

  /**
   * Lets a task ask the index about a site after catching up; with `isText`, after the site's text has caught up too. Throws as
   * `read` does.
   */
  async ask<T>(
    site: SiteRef,
    isText: boolean,
    run: (query: IndexQuery) => Promise<IndexAnswer<T>>,
    waitMs = this.#maxWaitMs,
  ): Promise<T> {
    const { texts, dataDir } = this.#parts
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const position = await this.read(site, (index) => index.position?.ordinal ?? 0, waitMs)
      if (isText && !(await waited('index', isDoneWithin(texts.follow(site, position), waitMs)))) throw busyError()
      const answer = await run({ dataDir, siteId: site.id, asOf: position })
      if ('answer' in answer) return answer.answer
      texts.expire(site.id)
    }
    throw busyError()
  }

  /**
   * Brings the index to the site's head: as new as every write and every push that had ended before this call. Throws `site_unreadable`,
   * and `site_not_found` for a deleted site. Throws `site_busy` if it takes longer than `waitMs`, or if the disk has no room for the index.
   * It never throws `storage_full`, which is for those who send content.
   */
  async catchUp(site: SiteRef, waitMs = this.#maxWaitMs): Promise<void> {
    await whileItMoves(async () => {
      const catchUp = this.#followed(site).catchUp()
      if (catchUp !== undefined) await this.#until(site, catchUp, waitMs)
    })
  }

  async #until(site: SiteRef, catchUp: Promise<void>, waitMs: number): Promise<void> {
    try {
      if (!(await waited('index', isDoneWithin(catchUp, waitMs)))) throw busyError()
    } catch (error) {
      this.#parts.store.reader.refused.refuseDeleted(site)
      throw error instanceof ServiceError && DISK_REFUSALS.has(error.code) ? withCause(noRoomError(), error) : error
    }
  }

  /**
   * Brings those of many sites that are behind to their heads, and returns them. Also returns sites that cannot be read; `read` them
   * for the reason. `group` names the sites that `list` returns. Throws `site_busy` if it takes longer than a read may wait.
   */
  async catchUpAll(group: string, list: () => Promise<readonly SiteRef[]>): Promise<SiteRef[]> {
    const sites = await this.#behind.find(group, list)
    const end = performance.now() + this.#maxWaitMs
    for (let first = 0; first < sites.length; first += MAX_AT_ONCE) {
      if (performance.now() > end) throw busyError()
      // Every site is opened in this thread.
      await nextTurn()
      await Promise.allSettled(sites.slice(first, first + MAX_AT_ONCE).map((site) => this.catchUp(site)))
    }
    return sites
  }

  /** Returns the ids of those sites that may have, or may have had, a page with this id, as far as the index knows. */
  async sitesWith(siteIds: readonly string[], pageId: string): Promise<readonly string[]> {
    return await waited('index', this.#parts.indexer.findPage(siteIds, pageId))
  }

  /** Lets the index catch up with a site after a push, without waiting for a reader. */
  async follow(site: SiteRef): Promise<void> {
    const behind = await this.#parts.indexer.findBehind([site])
    if (behind.length > 0) await this.catchUp(site)
  }

  /** Asks the index as it is, even if it is far behind. Throws `site_busy` if it cannot answer now. */
  readBehind<T>(site: Pick<SiteRef, 'id'>, ask: (index: SiteIndex) => T): T {
    const index = this.#parts.indexes.of(site.id)
    try {
      return index.atOneMoment(() => ask(index))
    } catch (error) {
      throw isMoving(error) ? withCause(busyError(), error) : error
    }
  }

  /** Follows a commit that became live. The rows of an own write are there already; its text follows them. */
  onLive({ site, own }: LiveCommit): void {
    this.#parts.texts.note(site)
    // Begins after the answer to a push. The next read that needs the index reports a failure.
    if (own === undefined) setImmediate(() => void this.catchUp(site).catch(() => undefined))
  }

  /** Runs a write of this process: readers that see its commit before its rows wait for it. */
  async duringWrite<T>(site: SiteRef, write: () => Promise<T>): Promise<T> {
    return await this.#followed(site).duringWrite(write)
  }

  /** Counts the sites whose index catches up, and the readers that wait for a write. */
  get figures(): { running: number; waiting: number } {
    const total = { running: 0, waiting: 0 }
    for (const { figures } of this.#sites.values()) {
      total.running += figures.running
      total.waiting += figures.waiting
    }
    return total
  }

  /**
   * Gives a change request the rows of its site, at the site's head or later. Returns the commit that they describe. Throws as `catchUp`
   * does.
   */
  async fork(request: SiteRef): Promise<string> {
    return await whileItMoves(async () => {
      await this.catchUp(mainOf(request))
      return await waited('index', this.#parts.indexer.fork(request))
    })
  }

  /**
   * Gives a change request that another machine began the rows of its site, while these describe the commit that it forks from. Later they
   * would have to be read from git.
   */
  async seed(request: SiteRef): Promise<void> {
    await this.catchUp(mainOf(request))
    await this.#parts.indexer.seed(request)
  }

  /** Removes the rows and the text of a deleted site; the rows of one change request, if `site` names one. */
  async forget(site: SiteRef): Promise<void> {
    const { indexes, indexer, texts } = this.#parts
    for (const key of this.#sites.keys()) if (key.startsWith(keyOf(site))) this.#sites.delete(key)
    indexes.of(site.id, site.request).close()
    await Promise.all([indexer.forget(site), site.request === undefined && texts.forget(site)])
  }

  #followed(site: SiteRef): FollowedSite {
    const key = keyOf(site)
    let followed = this.#sites.get(key)
    if (followed === undefined) this.#sites.set(key, (followed = new FollowedSite(this.#parts, site)))
    return followed
  }
}

/** Tries again while the index is lost, or moved by another process. Throws `site_busy` if that does not end. */
async function whileItMoves<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isMoving(error)) throw error
      if (tries === MAX_TRIES) throw withCause(busyError(), error)
    }
  }
}

function isMoving(error: unknown): boolean {
  return error instanceof IndexLost || error instanceof IndexMoved
}

/** Returns the key of a site, which those of its change requests begin with. */
function keyOf({ id, request = '' }: SiteRef): string {
  return `${id} ${request}`
}

function withCause(error: ServiceError, cause: unknown): ServiceError {
  return Object.assign(error, { cause })
}

function busyError(): ServiceError {
  return new ServiceError(
    'site_busy',
    'The index of this site is being rebuilt from its repository. Try again shortly.',
  )
}

function noRoomError(): ServiceError {
  return new ServiceError(
    'site_busy',
    'The disk of the service is full or failing, so the index of this site is out of date. Hosted pages still work. Try again later.',
  )
}

/** Whether the work ends in time. Rejects as `work` does until then. */
async function isDoneWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  // If no other caller waits, the next read reports the error.
  work.catch(() => undefined)
  const stop = new AbortController()
  const late = delay(milliseconds, 'late', { signal: stop.signal, ref: false }).catch(() => undefined)
  try {
    return (await Promise.race([work, late])) !== 'late'
  } finally {
    stop.abort()
  }
}
