// The read side of the store: keeps recently read sites open, each at its head. It writes nothing, so that any number of
// processes may read.

import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { RepositoryInvalid } from '../../git/objects/errors.js'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import type { GitObject } from '../../git/objects/object.js'
import { ServiceError } from '../../model/errors.js'
import { LEASE_MS } from '../../model/lease.js'
import { Pending, pendingUntil } from '../../threads/pending.js'
import type { AdvertisedRefs, Repositories, Repository } from '../protocol/repository.js'
import { assertOwnTree, OtherSitesRepository } from '../format/site-identity.js'
import { toServiceError } from '../protocol/failure.js'
import { PacedObjects } from './paced-objects.js'
import { troubleOf } from '../protocol/trouble.js'
import { type OnFailure, readable, Snapshot } from './snapshot.js'
import type { Troubles } from '../health/troubles.js'
import type { SiteRef } from '../protocol/write.js'
import type { SharedTree } from '../protocol/writer-messages.js'

const OPEN_SITES = 256
const MAX_TORN_READS = 5
const TORN_READ_MS = 1
/** System errors caused by the path itself. Others have a passing cause: a device that does not answer, no file descriptor left. */
const OF_THE_PATH: ReadonlySet<string> = new Set(['EACCES', 'EISDIR', 'ELOOP', 'ENOENT', 'ENOTDIR', 'EPERM'])

export interface SiteReaderOptions {
  repositories: Pick<Repositories, 'open'>
  /** Takes what readers find wrong with a site. */
  troubles: Pick<Troubles, 'report'>
  /**
   * Whether every write is answered only after a call of `expire` here. Elsewhere a write may also wait for the lease to run
   * out, and then no head that was read before it may be served, whatever hides the ref.
   */
  hearsOfEveryWrite?: boolean
  /** Reads the large objects of a site elsewhere, where the repositories are read at a pace. */
  loadObject?: (site: SiteRef, oid: Oid) => Promise<GitObject>
  /** Called when a site is opened, also again after it was closed for others. */
  onOpen?: (site: SiteRef) => void
}

/** A site open for reading. */
interface OpenSite {
  repository: Repository
  objects: ObjectReader
  snapshot: Snapshot | undefined
  /** When the last reading of the ref began, monotonic milliseconds; -Infinity makes the next reader look. */
  checkedAt: number
  /** The repository's mark from before the snapshot's head was read. */
  mark: string | undefined
  /** What `headNow` read last. */
  seen: { mark: string | undefined; head: Oid | undefined } | undefined
  /** Why the head could not be read, and when (monotonic milliseconds) that began; forgotten where a write of ours may have moved it. */
  failure: { error: unknown; at: number } | undefined
  /** How often in a row the ref held no oid. */
  tornReads: number
}

export class SiteReader {
  readonly #options: SiteReaderOptions
  readonly #sites = new LRUCache<string, OpenSite>({ max: OPEN_SITES, dispose: ({ repository }) => repository.close() })

  readonly #deleted = new Set<string>()

  constructor(options: SiteReaderOptions) {
    this.#options = options
  }

  /**
   * The site at its head, as any other process may have shown it before: a look at the ref tells whether it moved. Where that is
   * not to be told, it is at least as new as the last `expire`, and as every push older than 200 ms.
   * Throws `site_unreadable` when its repository cannot be read.
   */
  snapshot(site: SiteRef): Snapshot {
    this.refuseDeleted(site)
    const open = this.#open(site)
    const now = performance.now()
    if (open.failure !== undefined && now - open.failure.at < LEASE_MS) throw open.failure.error
    const mark = open.repository.headMark()
    if (open.snapshot !== undefined && now - open.checkedAt < LEASE_MS && mark === open.mark) return open.snapshot
    const head = this.#readHead(site, open, now)
    if (open.snapshot?.commit !== head) {
      const snapshot = new Snapshot(site.id, open.objects, head, this.noteFailure(site))
      this.#assertOwn(site, open.objects, snapshot)
      open.snapshot = snapshot
    }
    open.checkedAt = now
    open.mark = mark
    return open.snapshot
  }

  /** A failure is remembered as long as a head is. */
  #readHead(site: SiteRef, open: OpenSite, now: number): Oid {
    open.failure = undefined
    try {
      const head = readable(() => this.#headOf(site, open), this.noteFailure(site))
      if (head !== undefined) return head
      throw new ServiceError(
        'site_unreadable',
        "This site's repository has no main branch. Its operator finds the reason with fsck.",
      )
    } catch (error) {
      // A passing failure of the machine says nothing about the next read.
      if (error instanceof ServiceError && error.code === 'site_unreadable') {
        open.failure = { error, at: now }
      }
      throw error
    }
  }

  /** The commit at main now, whoever put it there. Reads nothing but the ref, and that only where it moved. */
  headNow(site: SiteRef): Oid | undefined {
    const open = this.#open(site)
    const mark = open.repository.headMark()
    if (mark === undefined || mark !== open.seen?.mark) open.seen = { mark, head: open.repository.head() }
    return open.seen.head
  }

  /** What a clone may see: main as `snapshot` shows it, and all tags. Throws as `snapshot` does. */
  advertisedRefs(site: SiteRef): AdvertisedRefs {
    // A tag of a commit that is published meanwhile comes after main: the commit is there.
    const { commit } = this.snapshot(site)
    return { main: commit, tags: readable(() => this.#open(site).repository.tags(), this.noteFailure(site)) }
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

  /** The site's head may have moved: the next read looks at the ref. */
  expire(slug: string): void {
    const open = this.#sites.peek(slug)
    if (open === undefined) return
    open.checkedAt = -Infinity
    open.failure = undefined
  }

  /** The site is deleted: its readers get `site_not_found` from now on. */
  retire(site: SiteRef): void {
    this.#deleted.add(site.id)
    this.#sites.delete(site.slug)
  }

  /** Throws `site_not_found` for a site that this process deleted. */
  refuseDeleted(site: SiteRef): void {
    if (this.#deleted.has(site.id)) throw new ServiceError('site_not_found', 'This site was deleted.')
  }

  closeAll(): void {
    this.#sites.clear()
  }

  /** Reports a read error as a problem of the site. A rewritten history is not one. Throws `site_not_found` for a deleted site. */
  noteFailure(site: SiteRef): OnFailure {
    return (error) => {
      this.refuseDeleted(site)
      const trouble = troubleOf(error)
      if (trouble !== undefined) this.#options.troubles.report(site, trouble)
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

  /** Where a passing error hides the ref, the head that was seen last still counts, unless a write of ours may have moved it. */
  #headOf(site: SiteRef, open: OpenSite): Oid | undefined {
    const { repository, snapshot, checkedAt } = open
    try {
      const head = repository.head()
      open.tornReads = 0
      return head
    } catch (error) {
      this.#awaitTornRef(open, error)
      const { syscall, code = '' } = error as NodeJS.ErrnoException
      const isPassing = syscall !== undefined && !OF_THE_PATH.has(code)
      const mayHaveMoved = checkedAt === -Infinity || this.#options.hearsOfEveryWrite !== true
      if (!isPassing || snapshot === undefined || mayHaveMoved) throw error
      this.noteFailure(site)(error)
      return snapshot.commit
    }
  }

  /** A ref that another program is writing in place can be empty for a moment: who can wait reads it again. */
  #awaitTornRef(open: OpenSite, error: unknown): void {
    if (this.#options.loadObject === undefined || !(error instanceof RepositoryInvalid)) return
    open.tornReads = (open.tornReads + 1) % (MAX_TORN_READS + 1)
    if (open.tornReads > 0) throw pendingUntil(delay(TORN_READ_MS))
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
      snapshot: undefined,
      checkedAt: -Infinity,
      mark: undefined,
      seen: undefined,
      failure: undefined,
      tornReads: 0,
    }
    this.#sites.set(site.slug, open)
    this.#options.onOpen?.(site)
    return open
  }
}
