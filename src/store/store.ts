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
import { troubleOf } from './inspect-repository.js'
import { type OnFailure, readable, readableEach, Snapshot } from './snapshot.js'
import { Troubles } from './troubles.js'
import type { SiteRef, Write, Written } from './write.js'
import { type PoolLimits, WriterPool } from './writer-pool.js'

/** How long a head is trusted before the ref is read again: the delay with which a push is seen. */
const HEAD_TRUST_MS = 200
const OPEN_SITES = 256

export interface StoreOptions {
  dataDir: string
  limits: PoolLimits & { diskReserveBytes: number }
  /** Where trouble is noted: what readers and writers meet, and what no caller waits for. */
  troubles?: Troubles
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
  readonly troubles: Troubles
  readonly #options: StoreOptions
  readonly #writers: WriterPool
  readonly #maintenance: Maintenance
  readonly #sites = new LRUCache<string, OpenSite>({ max: OPEN_SITES, dispose: (site) => site.odb.close() })

  constructor(options: StoreOptions) {
    this.#options = options
    this.troubles = options.troubles ?? new Troubles({ clock: () => new Date() })
    this.#maintenance = new Maintenance(options.dataDir, (site, error) =>
      this.troubles.report(site, { kind: 'maintenance', what: error instanceof Error ? error.message : String(error) }),
    )
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
    const head = this.#read(site, () => readRef(this.gitdir(site), MAIN))
    if (head === undefined) {
      throw new ServiceError(
        'site_unreadable',
        "This site's repository has no main branch. Its operator finds the reason with fsck.",
      )
    }
    if (open.snapshot?.commit !== head) open.snapshot = new Snapshot(site.id, open.odb, head, this.#noteFailure(site))
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
    yield* readableEach(readFactsSince(this.#open(site).odb, from, commit), this.#noteFailure(site))
  }

  /** What one commit did; undefined when the repository holds no commit with that id. */
  factsOf(site: SiteRef, oid: Oid): CommitFacts | undefined {
    const known = this.snapshot(site).commitAt(oid)
    return known && this.#read(site, () => readCommitFacts(this.#open(site).odb, oid))
  }

  /** First-parent commits from `from` (inclusive; the head for undefined) backwards. */
  *history(site: SiteRef, from?: Oid): Generator<LoggedCommit> {
    const start = from ?? this.snapshot(site).commit
    const walk = readableEach(firstParents(this.#open(site).odb, start), this.#noteFailure(site))
    for (const { oid, commit } of walk) {
      const { subject, body } = parseMessage(commit.message)
      yield { oid, commit, subject, message: body === '' ? subject : `${subject}\n\n${body}` }
    }
  }

  /** The files in which a commit differs from its first parent. */
  changes(site: SiteRef, oid: Oid): TreeChange[] {
    return this.#read(site, () => {
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
    this.troubles.forget(site)
  }

  /** Verifies the site's repository and puts its settings and hooks back. Rejects with the reason why it cannot. */
  async repair(site: SiteRef): Promise<void> {
    await this.#writers.openRepository(site)
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

  #read<T>(site: SiteRef, read: () => T): T {
    return readable(read, this.#noteFailure(site))
  }

  /** What a reader meets is noted as the trouble that it is; a rewritten history is none of the disk's. */
  #noteFailure(site: SiteRef): OnFailure {
    return (error) => {
      const trouble = troubleOf(error)
      if (trouble !== undefined) this.troubles.report(site, trouble)
    }
  }

  #open(site: SiteRef): OpenSite {
    const known = this.#sites.get(site.slug)
    if (known !== undefined) return known
    const open: OpenSite = {
      odb: new ObjectDatabase(this.gitdir(site)),
      snapshot: undefined,
      checkedAt: 0,
      readAt: 0,
    }
    this.#sites.set(site.slug, open)
    // Configuration and hooks are verified by the site's writer, beside the reading.
    this.repair(site).catch(this.#noteFailure(site))
    return open
  }
}
