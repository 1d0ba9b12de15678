// The read side of the store: keeps recently read sites open, each at its head. It writes nothing, so any number of processes may
// read.

import { LRUCache } from 'lru-cache'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { ServiceError } from '../../model/errors.js'
import type { AdvertisedRefs, Repositories, Repository } from '../protocol/repository.js'
import { assertOwn } from './own-repository.js'
import { RefusedSites } from './refused-sites.js'
import { isOfSite, placeOf } from '../protocol/site-place.js'
import { troubleOf } from '../protocol/trouble.js'
import { type OnFailure, readable, Snapshot } from './snapshot.js'
import type { Troubles } from '../health/troubles.js'
import type { SiteRef } from '../protocol/write.js'
import type { SharedTree } from '../protocol/writer-messages.js'

const OPEN_SITES = 256
/** The time for which an unreadable site is neither read nor reported again. */
const FAILURE_MS = 200
/** System errors caused by the path itself. Others have a passing cause: a device that does not answer, or no free file descriptor. */
const OF_THE_PATH: ReadonlySet<string> = new Set(['EACCES', 'EISDIR', 'ELOOP', 'ENOENT', 'ENOTDIR', 'EPERM'])

export interface SiteReaderOptions {
  repositories: Pick<Repositories, 'open'>
  /** Takes the faults that readers find in a site. */
  troubles: Pick<Troubles, 'report'>
  /** Whether `expire` is called for every write of this service. Only then may a head seen earlier replace a ref that cannot be read. */
  hearsOfEveryWrite?: boolean
  /** Called when a site is opened, also when it is opened again after it was closed to make room. */
  onOpen?: (site: SiteRef) => void
}

/** A site open for reading. */
interface OpenSite {
  repository: Repository
  /** The head as it was last read, and the repository's mark from before that. */
  seen: { mark: string | undefined; head: Oid | undefined } | undefined
  /** Whether a write of this service may have moved the head since. */
  mayHaveMoved: boolean
  snapshot: Snapshot | undefined
  /** The reason why a head has no snapshot, and the time of that finding. */
  failure: { head: Oid; error: unknown; at: number } | undefined
  /** The time of the last report of an unreadable ref. Times are monotonic milliseconds. */
  reportedAt: number
}

export class SiteReader {
  readonly #options: SiteReaderOptions
  readonly #sites = new LRUCache<string, OpenSite>({ max: OPEN_SITES, dispose: ({ repository }) => repository.close() })
  readonly refused = new RefusedSites()

  constructor(options: SiteReaderOptions) {
    this.#options = options
  }

  /**
   * Returns the site at its head: it includes every write and every push, by any process, that was over before the call.
   * Throws `site_unreadable` if its repository cannot be read.
   */
  snapshot(site: SiteRef): Snapshot {
    this.refused.refuse(site)
    const open = this.#open(site)
    const head = this.#headOf(site, open)
    if (open.snapshot?.commit === head) return open.snapshot
    const snapshot = this.#snapshotAt(site, open, head)
    // Its root would stay in memory after each write.
    if (open.snapshot !== undefined && open.snapshot.tree !== snapshot.tree)
      open.repository.objects.forget(open.snapshot.tree)
    open.snapshot = snapshot
    return snapshot
  }

  /** Returns the commit that `snapshot` shows, without reading it. Throws `site_unreadable` if the ref cannot be read. */
  head(site: SiteRef): Oid {
    this.refused.refuse(site)
    return this.#headOf(site, this.#open(site))
  }

  /** Returns the refs that a clone may see: main as `snapshot` shows it, and all tags. Throws as `snapshot` does. */
  advertisedRefs(site: SiteRef): AdvertisedRefs {
    // Reads the tags after main. A tag of a commit that is published in between is fine: the commit is there.
    const { commit } = this.snapshot(site)
    return { main: commit, tags: readable(() => this.#open(site).repository.tags(), this.noteFailure(site)) }
  }

  /** Returns the refs of `advertisedRefs` and reads nothing else. Throws as `head` does. */
  refs(site: SiteRef): AdvertisedRefs {
    const main = this.head(site)
    return { main, tags: readable(() => this.#open(site).repository.tags(), this.#noteSeldom(site, this.#open(site))) }
  }

  objects(site: SiteRef): ObjectReader {
    return this.#open(site).repository.objects
  }

  /** Keeps folders in memory that a writer of this process just stored, so that the next reader need not read and hash them. */
  rememberTrees(site: SiteRef, trees: readonly SharedTree[]): void {
    this.#sites.peek(placeOf(site))?.repository.remember(
      trees.map(({ bytes: { buffer, byteOffset, byteLength }, ...tree }) => {
        return { ...tree, type: 'tree', content: Buffer.from(buffer, byteOffset, byteLength) }
      }),
    )
  }

  /** Notes that a write of this service may have moved the site's head. */
  expire(site: Pick<SiteRef, 'slug' | 'request'>): void {
    const open = this.#sites.peek(placeOf(site))
    if (open !== undefined) open.mayHaveMoved = true
  }

  /** Makes the readers of a deleted site get `site_not_found` from now on. */
  retire(site: SiteRef): void {
    this.refused.setDeleted(site)
    for (const place of this.#sites.keys()) if (isOfSite(place, site)) this.#sites.delete(place)
  }

  /** Closes a change request whose branch is gone, or a site whose repository is. */
  close(site: SiteRef): void {
    this.#sites.delete(placeOf(site))
  }

  closeAll(): void {
    this.#sites.clear()
  }

  /** Returns a function that reports a read error as a trouble of the site. It throws `site_not_found` for a deleted site. */
  noteFailure(site: SiteRef): OnFailure {
    return (error) => {
      this.refused.refuseDeleted(site)
      const trouble = troubleOf(error)
      if (trouble !== undefined) this.#options.troubles.report(site, trouble)
    }
  }

  /** Opens the snapshot. Remembers a failure for a while, because finding it again may need a search in every pack. */
  #snapshotAt(site: SiteRef, open: OpenSite, head: Oid): Snapshot {
    const { failure } = open
    const now = performance.now()
    if (failure?.head === head && now - failure.at < FAILURE_MS) throw failure.error
    try {
      const { objects } = open.repository
      const snapshot = new Snapshot(site.id, objects, head, this.noteFailure(site))
      assertOwn(site.id, objects, snapshot, this.noteFailure(site))
      return snapshot
    } catch (error) {
      // A passing failure of the machine does not predict the next read.
      const isLasting = error instanceof ServiceError && error.code === 'site_unreadable'
      if (isLasting) open.failure = { head, error, at: now }
      throw error
    }
  }

  #headOf(site: SiteRef, open: OpenSite): Oid {
    const head = readable(() => this.#lookOrRecall(site, open), this.#noteSeldom(site, open))
    if (head !== undefined) return head
    throw new ServiceError(
      'site_unreadable',
      "This site's repository has no main branch. Its operator finds the reason with fsck.",
    )
  }

  /** Returns the head. If a passing error hides the ref, returns the last head seen, unless a write of ours may have moved it. */
  #lookOrRecall(site: SiteRef, open: OpenSite): Oid | undefined {
    try {
      return readHead(open)
    } catch (error) {
      const { syscall, code = '' } = error as NodeJS.ErrnoException
      const isPassing = syscall !== undefined && !OF_THE_PATH.has(code)
      const mayHaveMoved = open.mayHaveMoved || this.#options.hearsOfEveryWrite !== true
      if (!isPassing || open.seen === undefined || mayHaveMoved) throw error
      this.#noteSeldom(site, open)(error)
      return open.seen.head
    }
  }

  /** Reports seldom, since every visit may find the same unreadable ref. */
  #noteSeldom(site: SiteRef, open: OpenSite): OnFailure {
    return (error) => {
      const now = performance.now()
      if (now - open.reportedAt < FAILURE_MS) return
      open.reportedAt = now
      this.noteFailure(site)(error)
    }
  }

  #open(site: SiteRef): OpenSite {
    const known = this.#sites.get(placeOf(site))
    if (known !== undefined) return known
    const open: OpenSite = {
      repository: this.#options.repositories.open(site),
      seen: undefined,
      mayHaveMoved: false,
      snapshot: undefined,
      failure: undefined,
      reportedAt: -Infinity,
    }
    this.#sites.set(placeOf(site), open)
    this.#options.onOpen?.(site)
    return open
  }
}

/** Returns the commit at main. Reads the ref only if its mark says that it may have moved. */
function readHead(open: OpenSite): Oid | undefined {
  const mark = open.repository.headMark()
  if (mark === undefined || mark !== open.seen?.mark) {
    open.seen = { mark, head: open.repository.head() }
    open.mayHaveMoved = false
  }
  return open.seen.head
}
