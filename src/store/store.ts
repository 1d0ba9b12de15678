// The store as the rest of the service knows it: sites to read at their head, and writes that are durable when answered.

import { LRUCache } from 'lru-cache'
import { type Commit, parseMessage } from '../git/commit.js'
import { diffTrees, type TreeChange } from '../git/diff.js'
import { firstParents } from '../git/history.js'
import { ObjectDatabase } from '../git/object-database.js'
import type { Oid } from '../git/oid.js'
import { readRef } from '../git/ref.js'
import { ServiceError } from '../model/errors.js'
import type { CommitFacts } from '../model/facts.js'
import { readCommitFacts, readFactsSince } from './commit-facts.js'
import { Maintenance } from './maintenance.js'
import { gitdirOf, retireRepository } from './site-repository.js'
import { MAIN } from './main-ref.js'
import { readable, readableEach, Snapshot } from './snapshot.js'
import type { SiteRef, Write, Written } from './write.js'
import { type PoolLimits, WriterPool } from './writer-pool.js'

/** How long a head is trusted before the ref is read again: the delay with which a push is seen. */
const HEAD_TRUST_MS = 200
const OPEN_SITES = 256

export interface StoreOptions {
  dataDir: string
  limits: PoolLimits & { diskReserveBytes: number }
  /** Told of trouble that no caller waits for: a repository that cannot be verified, or maintained. */
  onTrouble?: (site: SiteRef, error: unknown) => void
}

/** A site open for reading. */
interface OpenSite {
  odb: ObjectDatabase
  snapshot: Snapshot | undefined
  /** Monotonic milliseconds; 0 makes the next reader look. */
  checkedAt: number
  /** When the snapshot's head was read, monotonic milliseconds. */
  readAt: number
}

export interface LoggedCommit {
  oid: Oid
  commit: Commit
  subject: string
  /** Subject and body without trailers. */
  message: string
}

export class Store {
  readonly #options: StoreOptions
  readonly #writers: WriterPool
  readonly #maintenance: Maintenance
  readonly #sites = new LRUCache<string, OpenSite>({ max: OPEN_SITES, dispose: (site) => site.odb.close() })

  constructor(options: StoreOptions) {
    this.#options = options
    this.#maintenance = new Maintenance(options.dataDir, (site, error) => options.onTrouble?.(site, error))
    this.#writers = new WriterPool(
      { dataDir: options.dataDir, diskReserveBytes: options.limits.diskReserveBytes },
      options.limits,
      (site) => this.#maintenance.request(site),
    )
  }

  gitdir(site: SiteRef): string {
    return gitdirOf(this.#options.dataDir, site.slug)
  }

  /**
   * The site at its head: at least as new as every write answered before, and as every push older than 200 ms.
   * `site_unreadable` when its repository cannot be read; no other site notices.
   */
  snapshot(site: SiteRef): Snapshot {
    const open = this.#open(site)
    const now = performance.now()
    if (open.snapshot !== undefined && now - open.checkedAt < HEAD_TRUST_MS) return open.snapshot
    const head = readable(() => readRef(this.gitdir(site), MAIN))
    if (head === undefined) {
      throw new ServiceError(
        'site_unreadable',
        "This site's repository has no main branch. Its operator finds the reason with fsck.",
      )
    }
    if (open.snapshot?.commit !== head) open.snapshot = new Snapshot(site.id, open.odb, head)
    open.checkedAt = now
    open.readAt = now
    return open.snapshot
  }

  /** The head that a reader saw last, and when (monotonic milliseconds); reads nothing itself. */
  seenHead(site: SiteRef): { commit: Oid; readAt: number } | undefined {
    const open = this.#sites.peek(site.slug)
    return open?.snapshot && { commit: open.snapshot.commit, readAt: open.readAt }
  }

  /** Queues the write behind the site's others; resolves when it is durable and live. */
  async write(site: SiteRef, write: Write): Promise<Written> {
    try {
      return await this.#writers.write(site, write)
    } finally {
      const open = this.#sites.peek(site.slug)
      if (open !== undefined) open.checkedAt = 0
    }
  }

  /** What each commit after `from` did, oldest first; the whole history for undefined. Throws HistoryRewritten. */
  *factsSince(site: SiteRef, from: Oid | undefined): Generator<CommitFacts> {
    const { commit } = this.snapshot(site)
    yield* readableEach(readFactsSince(this.#open(site).odb, from, commit))
  }

  /** What one commit did; undefined when the repository holds no commit with that id. */
  factsOf(site: SiteRef, oid: Oid): CommitFacts | undefined {
    const known = this.snapshot(site).commitAt(oid)
    return known && readable(() => readCommitFacts(this.#open(site).odb, oid))
  }

  /** First-parent commits from `from` (inclusive; the head for undefined) backwards. */
  *history(site: SiteRef, from?: Oid): Generator<LoggedCommit> {
    const start = from ?? this.snapshot(site).commit
    for (const { oid, commit } of readableEach(firstParents(this.#open(site).odb, start))) {
      const { subject, body } = parseMessage(commit.message)
      yield { oid, commit, subject, message: body === '' ? subject : `${subject}\n\n${body}` }
    }
  }

  /** The files in which a commit differs from its first parent. */
  changes(site: SiteRef, oid: Oid): TreeChange[] {
    return readable(() => {
      const { odb } = this.#open(site)
      const commit = odb.readCommit(oid)
      const [parent] = commit.parents
      return [...diffTrees(odb, parent === undefined ? undefined : odb.readCommit(parent).tree, commit.tree)]
    })
  }

  /** Makes the site's repository; durable when it resolves. `time` in seconds. */
  async createSite(site: SiteRef, time: number): Promise<void> {
    await this.#writers.createRepository(site, time)
  }

  /** Moves a deleted site's repository aside. */
  async retireSite(site: SiteRef): Promise<void> {
    await this.#writers.forget(site)
    this.#sites.delete(site.slug)
    retireRepository(this.#options.dataDir, site)
  }

  /** Keeps a commit that main no longer reaches under refs/palimpsest/lost/. */
  async keepLost(site: SiteRef, commit: Oid): Promise<void> {
    await this.#writers.keepLost(site, commit)
  }

  async close(): Promise<void> {
    await this.#writers.close()
    await this.#maintenance.stop()
    this.#sites.clear()
  }

  #open(site: SiteRef): OpenSite {
    const known = this.#sites.get(site.slug)
    if (known !== undefined) return known
    const open: OpenSite = {
      odb: readable(() => new ObjectDatabase(this.gitdir(site))),
      snapshot: undefined,
      checkedAt: 0,
      readAt: 0,
    }
    this.#sites.set(site.slug, open)
    // Configuration and hooks are verified by the site's writer, beside the reading.
    this.#writers.openRepository(site).catch((error: unknown) => this.#options.onTrouble?.(site, error))
    return open
  }
}
