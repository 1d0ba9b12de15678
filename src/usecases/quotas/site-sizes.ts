// Knows how many pages each site has published, and how many bytes its repositories take on the disk. One is its own, the other that of its
// change requests. A write of this process adds to the size. So they are measured only if something else wrote, or if the size is an old
// estimate.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { SiteIndexFollower } from '../../indexing/site-index-follower.js'
import { ServiceError } from '../../model/errors.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import { measureObjects } from '../../repository/disk/stored-bytes.js'
import { draftsOf } from '../../repository/protocol/site-place.js'
import type { SiteRef } from '../../repository/protocol/write.js'
import type { Written } from '../../repository/protocol/written.js'
import { headIfReadable } from '../../repository/refs-here.js'
import type { Store } from '../../repository/store.js'

export interface SiteSize {
  pages: number
  bytes: number
}

/** Times are monotonic milliseconds. */
interface Known extends SiteSize {
  /** The commit that it describes. */
  head: string | undefined
  /** When the packs of change requests changed last: other machines write them too, and maintenance removes some. */
  draftsAt: number
  /** The last time that main was seen there. */
  seenAt: number
  measuredAt: number
  /** Whether writes were added since it was measured. */
  isEstimate: boolean
}

interface Parts {
  store: Pick<Store, 'repositories'>
  indexFollower: Pick<SiteIndexFollower, 'catchUp' | 'readBehind'>
}

const MAX_SITES = 10_000
/** The time for which a push by path, or a commit of another machine, may go unnoticed. */
const UNSEEN_MS = 1000
/** The time after which an estimate is measured again. */
const ESTIMATED_MS = 60_000
/** The wait for an index that is behind; without it, the pages that it knows count. */
const INDEX_WAIT_MS = 2000

export class SiteSizes {
  readonly #parts: Parts
  readonly #known = new LRUCache<string, Known>({ max: MAX_SITES })
  readonly #measuring = new Map<string, Promise<SiteSize>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Returns the size of a site; with `isExact`, without estimates. Throws nothing: an unreadable site has the pages last indexed. */
  async of(site: SiteRef, isExact = false): Promise<SiteSize> {
    return this.known(site.id, () => site, isExact) ?? (await this.#measureOnce(site))
  }

  /** Returns the size if it is known well enough; undefined if it must be measured. Calls `find` only to look at the repository. */
  known(siteId: string, find: () => SiteRef | undefined, isExact: boolean): SiteSize | undefined {
    const known = this.#known.get(siteId)
    return known !== undefined && this.#isUsable(known, find, isExact) ? known : undefined
  }

  async #measureOnce(site: SiteRef): Promise<SiteSize> {
    const running = this.#measuring.get(site.id)
    if (running !== undefined) return await running
    const measured = this.#measure(site).finally(() => this.#measuring.delete(site.id))
    this.#measuring.set(site.id, measured)
    return await measured
  }

  /** Adds a write of this process. */
  add({ id }: SiteRef, bytes: number, { commit, facts }: Pick<Written, 'commit' | 'facts'>): void {
    const known = this.#known.get(id)
    if (known === undefined) return
    // It may be of that commit already, or lack others before it.
    if (facts === null || facts.parent !== known.head) return this.expire({ id })
    known.head = commit
    known.pages += pagesAddedBy(facts)
    known.bytes += bytes
    known.isEstimate = true
  }

  /** Adds a write of this process to a change request: its pages are not published. */
  addToRequests({ id }: SiteRef, bytes: number): void {
    const known = this.#known.get(id)
    if (known === undefined) return
    known.bytes += bytes
    known.isEstimate = true
  }

  /** Notes that main may have moved. */
  expire({ id }: Pick<SiteRef, 'id'>): void {
    const known = this.#known.get(id)
    if (known !== undefined) known.seenAt = Number.NEGATIVE_INFINITY
  }

  #isUsable(known: Known, find: () => SiteRef | undefined, isExact: boolean): boolean {
    const now = performance.now()
    const isOld = now - known.measuredAt > ESTIMATED_MS
    if (known.isEstimate ? isOld || isExact : isOld && isExact) return false
    if (now - known.seenAt < UNSEEN_MS) return true
    const site = find()
    if (site === undefined || headIfReadable(this.#parts.store.repositories, site) !== known.head) return false
    if (this.#draftsAt(site) !== known.draftsAt) known.isEstimate = true
    known.seenAt = now
    return !known.isEstimate || !(isOld || isExact)
  }

  #draftsAt(site: SiteRef): number {
    const folder = join(this.#parts.store.repositories.gitdir(draftsOf(site)), 'objects', 'pack')
    return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
  }

  async #measure(site: SiteRef): Promise<SiteSize> {
    const { indexFollower, store } = this.#parts
    await indexFollower.catchUp(site, INDEX_WAIT_MS).catch(() => undefined)
    const draftsAt = this.#draftsAt(site)
    let bytes = 0
    for (const place of [site, draftsOf(site)]) bytes += await measureObjects(store.repositories.gitdir(place))
    const now = performance.now()
    const known = { ...this.#asIndexed(site), bytes, draftsAt, seenAt: now, measuredAt: now, isEstimate: false }
    this.#known.set(site.id, known)
    return known
  }

  /** Counts what the index knows, even if it is behind. */
  #asIndexed(site: SiteRef): { head: string | undefined; pages: number } {
    try {
      return this.#parts.indexFollower.readBehind(site, (index) => ({
        head: index.indexedCommit,
        pages: index.pages.count(),
      }))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { head: undefined, pages: 0 }
    }
  }
}

/** Counts the pages that the commit added; negative if it removed more. */
function pagesAddedBy({ pageFiles }: CommitFacts): number {
  return pageFiles.reduce((sum, { before, after }) => sum + Number(after !== null) - Number(before !== null), 0)
}
