// The read side of the store: keeps recently read sites open, each at its head. It writes nothing, so that any number of
// processes may read.

import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { RepositoryInvalid } from '../../git/objects/errors.js'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import type { GitObject } from '../../git/objects/object.js'
import { ServiceError } from '../../model/errors.js'
import { Pending, pendingUntil } from '../../threads/pending.js'
import type { AdvertisedRefs, Repositories, Repository } from '../protocol/repository.js'
import { assertOwnTree, OtherSitesRepository } from '../format/site-identity.js'
import { toServiceError } from '../protocol/failure.js'
import { PacedObjects } from './paced-objects.js'
import { RefusedSites } from './refused-sites.js'
import { troubleOf } from '../protocol/trouble.js'
import { type OnFailure, readable, Snapshot } from './snapshot.js'
import type { Troubles } from '../health/troubles.js'
import type { SiteRef } from '../protocol/write.js'
import type { SharedTree } from '../protocol/writer-messages.js'

const OPEN_SITES = 256
const MAX_TORN_READS = 5
const TORN_READ_MS = 1
/** How long a site that cannot be read is not looked into, and not reported, again. */
const FAILURE_MS = 200
/** System errors caused by the path itself. Others have a passing cause: a device that does not answer, no file descriptor left. */
const OF_THE_PATH: ReadonlySet<string> = new Set(['EACCES', 'EISDIR', 'ELOOP', 'ENOENT', 'ENOTDIR', 'EPERM'])

export interface SiteReaderOptions {
  repositories: Pick<Repositories, 'open'>
  /** Takes what readers find wrong with a site. */
  troubles: Pick<Troubles, 'report'>
  /** Whether `expire` is called for every write of this service. Only then may a head that was seen before stand in for a ref that cannot be read. */
  hearsOfEveryWrite?: boolean
  /** Reads the large objects of a site elsewhere, where the repositories are read at a pace. */
  loadObject?: (site: SiteRef, oid: Oid) => Promise<GitObject>
  /** The sites of which nothing is answered, where another reader has them too. */
  refused?: RefusedSites
  /** Called when a site is opened, also again after it was closed for others. */
  onOpen?: (site: SiteRef) => void
}

/** A site open for reading. */
interface OpenSite {
  repository: Repository
  objects: ObjectReader
  /** The head as it was read last, and the repository's mark from before that. */
  seen: { mark: string | undefined; head: Oid | undefined } | undefined
  /** Whether a write of ours may have moved the head since. */
  mayHaveMoved: boolean
  snapshot: Snapshot | undefined
  /** Why there is no snapshot of a head, and when that was found out. */
  failure: { head: Oid; error: unknown; at: number } | undefined
  /** When a ref that cannot be read was reported last. Times are monotonic milliseconds. */
  reportedAt: number
  /** How often in a row the ref held no oid. */
  tornReads: number
}

export class SiteReader {
  readonly #options: SiteReaderOptions
  readonly #sites = new LRUCache<string, OpenSite>({ max: OPEN_SITES, dispose: ({ repository }) => repository.close() })
  readonly refused: RefusedSites

  constructor(options: SiteReaderOptions) {
    this.#options = options
    this.refused = options.refused ?? new RefusedSites()
  }

  /**
   * The site at its head: as new as every write and every push that was over when this was called, by whatever process.
   * Throws `site_unreadable` when its repository cannot be read.
   */
  snapshot(site: SiteRef): Snapshot {
    this.refused.refuse(site)
    const open = this.#open(site)
    const head = this.#headOf(site, open)
    if (open.snapshot?.commit !== head) open.snapshot = this.#snapshotAt(site, open, head)
    return open.snapshot
  }

  /** The commit that `snapshot` shows, of which nothing is read. Throws `site_unreadable` where the ref cannot be read. */
  head(site: SiteRef): Oid {
    this.refused.refuse(site)
    return this.#headOf(site, this.#open(site))
  }

  /** What a clone may see: main as `snapshot` shows it, and all tags. Throws as `snapshot` does. */
  advertisedRefs(site: SiteRef): AdvertisedRefs {
    // A tag of a commit that is published meanwhile comes after main: the commit is there.
    const { commit } = this.snapshot(site)
    return { main: commit, tags: readable(() => this.#open(site).repository.tags(), this.noteFailure(site)) }
  }

  /** The refs of `advertisedRefs`, of which nothing else is read. Throws as `head` does. */
  refs(site: SiteRef): AdvertisedRefs {
    const main = this.head(site)
    return { main, tags: readable(() => this.#open(site).repository.tags(), this.#noteSeldom(site, this.#open(site))) }
  }

  objects(site: SiteRef): ObjectReader {
    return this.#open(site).objects
  }

  /** Keeps folders in memory that a writer of this process just stored: the next reader need not read and hash them. */
  rememberTrees(site: SiteRef, trees: readonly SharedTree[]): void {
    this.#sites.peek(site.slug)?.repository.remember(
      trees.map(({ oid, bytes: { buffer, byteOffset, byteLength } }) => {
        return { oid, type: 'tree', content: Buffer.from(buffer, byteOffset, byteLength) }
      }),
    )
  }

  /** A write of this service may have moved the site's head. */
  expire(slug: string): void {
    const open = this.#sites.peek(slug)
    if (open !== undefined) open.mayHaveMoved = true
  }

  /** The site is deleted: its readers get `site_not_found` from now on. */
  retire(site: SiteRef): void {
    this.refused.setDeleted(site)
    this.#sites.delete(site.slug)
  }

  closeAll(): void {
    this.#sites.clear()
  }

  /** Reports a read error as a problem of the site. A rewritten history is not one. Throws `site_not_found` for a deleted site. */
  noteFailure(site: SiteRef): OnFailure {
    return (error) => {
      this.refused.refuseDeleted(site)
      const trouble = troubleOf(error)
      if (trouble !== undefined) this.#options.troubles.report(site, trouble)
    }
  }

  /** A failure is remembered for a while: to find it out again may take a look into every pack. */
  #snapshotAt(site: SiteRef, open: OpenSite, head: Oid): Snapshot {
    const { failure } = open
    const now = performance.now()
    if (failure?.head === head && now - failure.at < FAILURE_MS) throw failure.error
    try {
      const snapshot = new Snapshot(site.id, open.objects, head, this.noteFailure(site))
      this.#assertOwn(site, open.objects, snapshot)
      return snapshot
    } catch (error) {
      // A passing failure of the machine says nothing about the next read.
      const isLasting = error instanceof ServiceError && error.code === 'site_unreadable'
      if (isLasting) open.failure = { head, error, at: now }
      throw error
    }
  }

  /** A site file that cannot be read takes no site away. */
  #assertOwn(site: SiteRef, objects: ObjectReader, { tree }: Snapshot): void {
    try {
      assertOwnTree(objects, tree, site.id)
    } catch (error) {
      if (error instanceof Pending) throw error
      this.noteFailure(site)(error)
      if (error instanceof OtherSitesRepository) throw toServiceError(error)
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

  /** Where a passing error hides the ref, the head that was seen last still counts, unless a write of ours may have moved it. */
  #lookOrRecall(site: SiteRef, open: OpenSite): Oid | undefined {
    try {
      return look(open)
    } catch (error) {
      this.#awaitTornRef(open, error)
      const { syscall, code = '' } = error as NodeJS.ErrnoException
      const isPassing = syscall !== undefined && !OF_THE_PATH.has(code)
      const mayHaveMoved = open.mayHaveMoved || this.#options.hearsOfEveryWrite !== true
      if (!isPassing || open.seen === undefined || mayHaveMoved) throw error
      this.#noteSeldom(site, open)(error)
      return open.seen.head
    }
  }

  /** A ref that another program is writing in place can be empty for a moment: who can wait reads it again. */
  #awaitTornRef(open: OpenSite, error: unknown): void {
    const canWait = this.#options.loadObject !== undefined
    if (!canWait || !(error instanceof RepositoryInvalid) || open.tornReads === MAX_TORN_READS) return
    open.tornReads += 1
    throw pendingUntil(delay(TORN_READ_MS))
  }

  /** Every visit may meet the same ref that cannot be read. */
  #noteSeldom(site: SiteRef, open: OpenSite): OnFailure {
    return (error) => {
      const now = performance.now()
      if (now - open.reportedAt < FAILURE_MS) return
      open.reportedAt = now
      this.noteFailure(site)(error)
    }
  }

  #open(site: SiteRef): OpenSite {
    const known = this.#sites.get(site.slug)
    if (known !== undefined) return known
    const { repositories, loadObject } = this.#options
    const repository = repositories.open(site)
    const open: OpenSite = {
      repository,
      objects: loadObject
        ? new PacedObjects(repository, site.slug, (oid) => loadObject(site, oid))
        : repository.objects,
      seen: undefined,
      mayHaveMoved: false,
      snapshot: undefined,
      failure: undefined,
      reportedAt: -Infinity,
      tornReads: 0,
    }
    this.#sites.set(site.slug, open)
    this.#options.onOpen?.(site)
    return open
  }
}

/** The commit at main. The ref is read where its mark says that it may have been moved. */
function look(open: OpenSite): Oid | undefined {
  const mark = open.repository.headMark()
  if (mark === undefined || mark !== open.seen?.mark) {
    open.seen = { mark, head: open.repository.head() }
    open.tornReads = 0
    open.mayHaveMoved = false
  }
  return open.seen.head
}
