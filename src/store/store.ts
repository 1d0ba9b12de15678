// The store as the rest of the service knows it: sites to read at their head, and writes that are durable when answered.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Commit, parseMessage } from '../git/objects/commit.js'
import { diffTrees, type TreeChange } from '../git/objects/diff.js'
import { DraftObjects } from '../git/storage/draft-objects.js'
import { syncDirectory } from '../git/disk/durable.js'
import { firstParents } from '../git/repository/history.js'
import type { Oid } from '../git/objects/oid.js'
import type { CommitFacts } from '../model/facts.js'
import { messageOf, readCommitFacts } from './format/commit-facts.js'
import { clearUnfinished } from '../git/disk/unfinished.js'
import { Maintenance } from './repositories/maintenance.js'
import { retiredGitdirOf, retireRepository } from './repositories/site-repository.js'
import { SiteReader } from './reading/site-reader.js'
import { readable, readableEach, Snapshot } from './reading/snapshot.js'
import { sumBytes } from './reading/sum-bytes.js'
import { Troubles } from './health/troubles.js'
import type { SiteRef, Write, Written } from './protocol/write.js'
import { type PoolLimits, WriterPool } from './writing/writer-pool.js'

export interface StoreOptions {
  dataDir: string
  limits: PoolLimits & { diskReserveBytes: number }
  /** Where trouble is noted: what readers and writers meet, and what no caller waits for. */
  troubles?: Troubles
  /** Told when a site may have another head, is shown otherwise, or is gone; a write is answered once it resolves. It must not reject. */
  onMoved?: (site: SiteRef) => Promise<void>
}

export interface LoggedCommit {
  oid: Oid
  commit: Commit
  subject: string
  /** Subject, body, and the reason that was given for it. */
  message: string
}

/** A site as a write would leave it. */
export interface SiteDraft {
  /** With its facts; its commit is in `snapshot` alone. */
  written: Written
  base: Snapshot
  snapshot: Snapshot
  /** The files in which the two differ. */
  changes: TreeChange[]
  /** What it holds in memory. */
  bytes: number
}

export class Store {
  readonly troubles: Troubles
  readonly #options: StoreOptions
  readonly #writers: WriterPool
  readonly #maintenance: Maintenance
  readonly #reader: SiteReader

  constructor(options: StoreOptions) {
    this.#options = options
    this.troubles = options.troubles ?? new Troubles({ clock: () => new Date() })
    this.#reader = new SiteReader({
      dataDir: options.dataDir,
      troubles: this.troubles,
      // Configuration and hooks are verified by the site's writer, beside the reading.
      onOpen: (site) => void this.repair(site).catch(this.#reader.noteFailure(site)),
    })
    this.#maintenance = new Maintenance(options.dataDir, {
      done: (site) => this.troubles.clear(site, 'maintenance'),
      failed: (site, error) =>
        this.troubles.report(site, {
          kind: 'maintenance',
          what: error instanceof Error ? error.message : String(error),
        }),
    })
    this.#writers = new WriterPool(
      { dataDir: options.dataDir, diskReserveBytes: options.limits.diskReserveBytes },
      options.limits,
      ({ site, trees, isMaintenanceDue }) => {
        this.#reader.rememberTrees(site, trees)
        if (isMaintenanceDue) this.#maintenance.request(site)
      },
    )
  }

  gitdir(site: SiteRef): string {
    return this.#reader.gitdir(site)
  }

  /** Removes what crashed commands left of repositories that they were making. */
  clearUnfinished(): void {
    clearUnfinished(this.#options.dataDir)
  }

  /** Where its repository lies once the site is deleted. */
  retiredGitdir(site: SiteRef): string {
    return retiredGitdirOf(this.#options.dataDir, site)
  }

  /**
   * The site at its head: at least as new as every write answered before, and as every push older than 200 ms.
   * `site_unreadable` when its repository cannot be read; no other site notices.
   */
  snapshot(site: SiteRef): Snapshot {
    return this.#reader.snapshot(site)
  }

  /** What the objects of its repository take on the disk, history included. */
  async storageBytes(site: SiteRef): Promise<number> {
    return await sumBytes(join(this.gitdir(site), 'objects'))
  }

  /** The head that a reader saw last, and when (monotonic milliseconds); reads nothing itself. */
  seenHead(site: SiteRef): { commit: Oid; readAt: number } | undefined {
    return this.#reader.seenHead(site)
  }

  /** Queues the write behind the site's others; resolves when it is durable and live. */
  async write(site: SiteRef, write: Write): Promise<Written> {
    try {
      return await this.#writers.write(site, write)
    } finally {
      await this.announce(site)
    }
  }

  /** Builds the write on the head and keeps nothing of it on disk. Rejects as the write would. */
  async draft(site: SiteRef, write: Write): Promise<SiteDraft> {
    const { written, base, objects } = await this.#writers.draft(site, write)
    return this.#read(site, () => {
      const odb = this.#reader.objects(site)
      // What came from another thread is no Buffer any more.
      const own = objects.map((object) => ({ ...object, content: Buffer.from(object.content) }))
      const draft = new DraftObjects(this.gitdir(site), odb, own)
      const snapshot = new Snapshot(site.id, draft, written.commit, this.#reader.noteFailure(site))
      return {
        written: { ...written, facts: written.changed ? readCommitFacts(draft, written.commit) : null },
        base: new Snapshot(site.id, odb, base, this.#reader.noteFailure(site)),
        snapshot,
        changes: [...diffTrees(draft, odb.readCommit(base).tree, snapshot.tree)],
        bytes: own.reduce((sum, { content }) => sum + content.length, 0),
      }
    })
  }

  /** The site changed, its head or how it is shown: when this resolves, no process serves it as it was before. */
  async announce(site: SiteRef): Promise<void> {
    this.#reader.expire(site.slug)
    await this.#options.onMoved?.(site)
  }

  /** What one commit did; undefined when the repository holds no commit with that id. */
  factsOf(site: SiteRef, oid: Oid): CommitFacts | undefined {
    const known = this.snapshot(site).commitAt(oid)
    return known && this.#read(site, () => readCommitFacts(this.#reader.objects(site), oid))
  }

  /** First-parent commits from `from` (inclusive; the head for undefined) backwards. */
  *history(site: SiteRef, from?: Oid): Generator<LoggedCommit> {
    const start = from ?? this.snapshot(site).commit
    const walk = readableEach(firstParents(this.#reader.objects(site), start), this.#reader.noteFailure(site))
    for (const { oid, commit } of walk) {
      const parsed = parseMessage(commit.message)
      yield { oid, commit, subject: parsed.subject, message: messageOf(parsed) }
    }
  }

  /** The files in which a commit differs from its first parent. */
  changes(site: SiteRef, oid: Oid): TreeChange[] {
    return this.#read(site, () => {
      const odb = this.#reader.objects(site)
      const commit = odb.readCommit(oid)
      const [parent] = commit.parents
      return [...diffTrees(odb, parent === undefined ? undefined : odb.readCommit(parent).tree, commit.tree)]
    })
  }

  /** Makes the site's repository; durable when it resolves. `time` in seconds. */
  async createSite(site: SiteRef, time: number): Promise<void> {
    await this.#writers.createRepository(site, time)
  }

  /** Whether a site's repository is there, whole, to stay: a power cut after the answer does not take it. */
  hasRepository(site: SiteRef): boolean {
    if (!existsSync(this.gitdir(site))) return false
    syncDirectory(this.#options.dataDir)
    return true
  }

  /** Moves a deleted site's repository aside. */
  async retireSite(site: SiteRef): Promise<void> {
    await this.#writers.forget(site)
    this.#reader.close(site.slug)
    retireRepository(this.#options.dataDir, site)
    await this.#options.onMoved?.(site)
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
    this.#reader.closeAll()
  }

  #read<T>(site: SiteRef, read: () => T): T {
    return readable(read, this.#reader.noteFailure(site))
  }
}
