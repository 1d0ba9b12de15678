// Caches the sitemaps of sites. A separate thread makes each one, once for all concurrent requests.

import { LRUCache } from 'lru-cache'
import { type Clock, toSeconds } from '../../../model/clock.js'
import type { SiteRef } from '../../../repository/protocol/write.js'
import { QueuedThread } from '../reading/queued-thread.js'
import { ENTRIES } from '../../../threads/entries.js'
import type { GeneratedBody } from './generated-file.js'
import { MAX_PACKED_BYTES, openPackedFile } from './packed-file.js'
import type { SitemapProtocol, SitemapThreadData } from './sitemap-thread.js'

/** Room for the largest site's maps and those of many usual sites. */
const CACHE_BYTES = MAX_PACKED_BYTES + 8 * 1024 * 1024
/** Estimated memory of an entry without its files. */
const ENTRY_BYTES = 1024
const DEADLINE_MS = 15_000
/** With more pages than this, a map may stay stale for STALE_RATIO times as long as it took. So a busy site is not walked all the time. */
const MANY_PAGES = 5000
const STALE_RATIO = 20
/** Least time before a map is made again after the index was behind or making it failed. */
const PROVISIONAL_MS = 1000

type Files = ReadonlyMap<string, GeneratedBody>

interface Made {
  commit: string
  isComplete: boolean
  /** Returns undefined if the site is too large for maps. Throws the error that prevented the map. */
  read(): Files | undefined
  bytes: number
  /** Monotonic milliseconds. */
  madeAt: number
  /** Time for which it may also be served for other commits. */
  staleMs: number
}

export class Sitemaps {
  readonly #thread: QueuedThread<SitemapProtocol>
  readonly #clock: Clock
  /** By site id. */
  readonly #cached = new LRUCache<string, Made>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ bytes }) => bytes + ENTRY_BYTES,
  })
  /** Maps being made, by site and commit. */
  readonly #underWay = new Map<string, Promise<Made>>()

  constructor(dataDir: string, clock: Clock) {
    this.#clock = clock
    const workerData: SitemapThreadData = { dataDir }
    this.#thread = new QueuedThread(
      { entry: ENTRIES.sitemapThread, worker: { workerData } },
      { deadlineMs: DEADLINE_MS },
    )
  }

  /**
   * Resolves to the files by name, or to undefined if the site has none. Rejects with `site_busy`. Calls `onIncomplete` if the index could
   * not tell when pages changed.
   */
  async of(site: SiteRef, commit: string, origin: string, onIncomplete: () => void): Promise<Files | undefined> {
    const known = this.#cached.get(site.id)
    if (known !== undefined && isFresh(known, commit)) return known.read()
    const key = `${site.id} ${commit}`
    let making = this.#underWay.get(key)
    if (making === undefined) {
      making = this.#make(site, commit, origin, onIncomplete).finally(() => this.#underWay.delete(key))
      this.#underWay.set(key, making)
    }
    return (await making).read()
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  async #make({ id, slug }: SiteRef, commit: string, origin: string, onIncomplete: () => void): Promise<Made> {
    const outcome = await this.#thread
      .ask(id, { site: { id, slug }, commit, origin, now: toSeconds(this.#clock()) })
      .then(toMade, failed)
    const made = { commit, madeAt: performance.now(), ...outcome }
    this.#cached.set(id, made)
    if (!made.isComplete) onIncomplete()
    return made
  }
}

type Outcome = Omit<Made, 'commit' | 'madeAt'>

function toMade({ files, isComplete, pages, costMs }: SitemapProtocol['answer']): Outcome {
  const opened = files && new Map(Array.from(files, ([name, file]) => [name, openPackedFile(file)] as const))
  const bytes = [...(files?.values() ?? [])].reduce((sum, { bytes: own }) => sum + own.byteLength, 0)
  return { read: () => opened, bytes, isComplete, staleMs: pages > MANY_PAGES ? STALE_RATIO * costMs : 0 }
}

function failed(error: unknown): Outcome {
  const read = () => {
    throw error
  }
  return { read, bytes: 0, isComplete: false, staleMs: PROVISIONAL_MS }
}

function isFresh({ commit, isComplete, madeAt, staleMs }: Made, wanted: string): boolean {
  const age = performance.now() - madeAt
  return (commit === wanted && (isComplete || age < PROVISIONAL_MS)) || age < staleMs
}
