// The store of all sites: its parts read heads, make durable writes and maintain repositories. What needs several of them is done here.

import { Admission } from '../admission/admission.js'
import type { QuotaUse } from '../admission/quotas.js'
import { DEFAULT_SIZES } from '../admission/row.js'
import { DiskRepositories } from './disk/disk-repositories.js'
import { isMaintenanceDue, maintainRepository } from './disk/maintain.js'
import { isPruneDue, maintainDrafts } from './disk/maintain-drafts.js'
import { type FetchSource, FetchServer } from './disk/fetching/serve-fetch.js'
import { FirstVerification } from './health/first-verification.js'
import { MaintenanceQueue } from './health/maintenance-queue.js'
import { CommitReader } from './reading/commit-reader.js'
import type { OtherReaders } from './reading/other-readers.js'
import { openDraft, type SiteDraft } from './reading/site-draft.js'
import { headIfReadable } from './refs-here.js'
import { SiteReader } from './reading/site-reader.js'
import type { SnapshotSource } from './reading/snapshot-source.js'
import { readable } from './reading/snapshot.js'
import { Troubles } from './health/troubles.js'
import { LiveCommits } from './protocol/live-commits.js'
import type { PreparedRevert } from './protocol/prepared.js'
import type { SiteRef, Undoing, Write } from './protocol/write.js'
import type { LogSettings } from './protocol/writer-messages.js'
import type { Written } from './protocol/written.js'
import { prepareRevert, type RevertAim } from './reverting/prepare-revert.js'
import { withPreparedRevert } from './reverting/with-prepared-revert.js'
import { RefMover } from './writing/ref-mover.js'
import { WriterPool } from './writing/writer-pool.js'

export interface StoreOptions {
  dataDir: string
  limits: { writerThreads: number; diskReserveBytes: number }
  /** Limits the writes that wait. Default: by the default settings. */
  admission?: Admission
  /** The database with the sites' logs, where machines share them: `follow` brings the commits of the others. */
  database?: Omit<LogSettings, 'threads'> | undefined
  /** Collects the troubles of single sites from all parts of the service. */
  troubles?: Troubles
  /** The readers of other threads, which are told what this one learns. */
  otherReaders?: OtherReaders
  /** Is told of all commits that become live. */
  live?: LiveCommits
  /** Returns the quotas that a write must keep to, and their use; undefined if the site's workspace has none. */
  quotaUse?: (site: SiteRef, write: Write) => Promise<QuotaUse | undefined>
  /** Is told of each write that changed a change request. */
  onRequestWrite?: (site: SiteRef, write: Write) => void
  /** Replaces `prepareRevert` by work outside of this thread. Without it, this thread does the work. */
  prepareRevert?: (site: SiteRef, aim: RevertAim) => Promise<PreparedRevert>
}

export class Store {
  readonly troubles: Troubles
  /** Is told of all commits that become live here. */
  readonly live: LiveCommits
  readonly repositories: DiskRepositories
  /** Serves fetches of git, for sources made by `fetchSource`. */
  readonly fetches = new FetchServer()
  readonly refMover: RefMover
  readonly commits: CommitReader
  /** The reader of the API's thread. Visitors ask it for heads alone. */
  readonly reader: SiteReader
  readonly maintenance: MaintenanceQueue
  /** Work of the writer threads that nothing else here must hear of. */
  readonly writers: Pick<
    WriterPool,
    'createRepository' | 'adoptRepository' | 'beginRequest' | 'openRepository' | 'settle'
  >
  readonly #options: StoreOptions
  readonly #writers: WriterPool

  constructor(options: StoreOptions) {
    const { dataDir, limits, database, admission = new Admission(DEFAULT_SIZES) } = options
    const repositories = new DiskRepositories(dataDir)
    const troubles = options.troubles ?? new Troubles({ clock: () => new Date() })
    this.#options = options
    this.troubles = troubles
    this.live = options.live ?? new LiveCommits(() => undefined)
    this.repositories = repositories
    const verification = new FirstVerification({
      verify: (site) => this.writers.openRepository(site),
      onFailed: (site, error) => this.reader.noteFailure(site)(error),
    })
    this.reader = new SiteReader({
      repositories,
      troubles,
      hearsOfEveryWrite: true,
      onOpen: (site) => verification.request(site),
    })
    this.commits = new CommitReader(this.reader)
    this.maintenance = new MaintenanceQueue({
      gate: admission.gate('maintenance'),
      isDue: (site) => (site.request === undefined ? isMaintenanceDue : isPruneDue)(repositories.gitdir(site)),
      maintain: (site, signal) =>
        site.request === undefined
          ? maintainRepository(repositories.gitdir(site), signal)
          : maintainDrafts(repositories, site, signal),
      troubles,
    })
    this.#writers = new WriterPool(
      {
        dataDir,
        diskReserveBytes: limits.diskReserveBytes,
        log: database && { ...database, threads: limits.writerThreads },
      },
      { writerThreads: limits.writerThreads, admission },
      ({ site, trees, ...event }) => {
        this.reader.rememberTrees(site, trees)
        options.otherReaders?.rememberTrees(site, trees)
        if (event.isMaintenanceDue) this.maintenance.request(site)
      },
    )
    this.writers = this.#writers
    this.refMover = new RefMover({
      writers: this.#writers,
      reader: this.reader,
      live: this.live,
      isLogged: database !== undefined,
    })
  }

  /** Returns the site for `fetches`, as a client sees it now. Throws as `reader.snapshot` does. */
  fetchSource(site: SiteRef): FetchSource {
    const refs = this.reader.advertisedRefs(site)
    return { siteId: site.id, gitdir: this.repositories.gitdir(site), refs, objects: this.reader.objects(site) }
  }

  /** Returns the values that another process needs to read a snapshot of the site, by default at its head. */
  sourceOf(site: SiteRef, { commit } = this.reader.snapshot(site)): SnapshotSource {
    const { repositories } = this
    return { siteId: site.id, gitdir: repositories.gitdir(site), lender: repositories.lender(site), commit }
  }

  /** Returns the same values for a site with a draft applied. */
  draftSourceOf(site: SiteRef, { snapshot, objects, packs }: SiteDraft): SnapshotSource {
    return { ...this.sourceOf(site, snapshot), drafted: objects, packs }
  }

  /** Queues the write behind the site's others; resolves when it is durable and live. */
  async write(site: SiteRef, write: Write): Promise<Written> {
    return await this.#prepared(site, write, (prepared) => this.#enqueue(site, prepared))
  }

  async #enqueue(site: SiteRef, write: Write): Promise<Written> {
    this.reader.refused.refuseDeleted(site)
    const written = await this.#writers.write(site, write).finally(() => this.reader.expire(site))
    // The commits of a change request are not live.
    if (!written.changed) return written
    if (site.request === undefined) this.live.tell({ site, commit: written.commit, own: { write, written } })
    else this.#options.onRequestWrite?.(site, write)
    return written
  }

  /** Builds the write on the head and stores nothing. Rejects as the write would. */
  async draft(site: SiteRef, write: Write): Promise<SiteDraft> {
    return await this.#prepared(site, write, (prepared) => this.#draft(site, prepared))
  }

  async #draft(site: SiteRef, write: Write): Promise<SiteDraft> {
    this.reader.refused.refuseDeleted(site)
    const drafted = await this.#writers.draft(site, write)
    const onFailure = this.reader.noteFailure(site)
    return readable(() => openDraft(site, this.reader.objects(site), drafted, write, onFailure), onFailure)
  }

  /**
   * Takes a deleted site away from readers and writers, and moves its repository aside. Every waiting write is answered: with its
   * result, or `site_not_found`.
   */
  async retireSite(site: SiteRef): Promise<void> {
    this.reader.retire(site)
    this.#options.otherReaders?.forget(site)
    this.troubles.forget(site)
    await this.#writers.retireRepository(site)
  }

  /** Removes the branch of a change request. The next maintenance removes its objects. */
  async endRequest(site: SiteRef): Promise<void> {
    await this.#writers.endRequest(site)
    this.reader.close(site)
    this.maintenance.request(site)
  }

  /**
   * Brings this machine's repository of the site to all that was committed on any machine before the call. For a change request, main must
   * be here as of then.
   */
  async follow(site: SiteRef): Promise<void> {
    const before = headIfReadable(this.repositories, site)
    await this.#writers.follow(site)
    this.reader.expire(site)
    if (site.request === undefined && headIfReadable(this.repositories, site) !== before) this.tellHead(site)
  }

  /** Tells where main is now: something else than a write of this process may have moved it. */
  tellHead(site: SiteRef): void {
    const commit = headIfReadable(this.repositories, site)
    if (commit !== undefined) this.live.tell({ site, commit })
  }

  /** Sets why commits of other machines are missing here; undefined ends that. Until then, reads of the site fail with `site_busy`. */
  setBehind(site: SiteRef, reason: string | undefined): void {
    const subject = site.request ?? ''
    this.reader.refused.setBehind(site, reason !== undefined)
    if (reason === undefined) this.troubles.clear(site, 'behind', subject)
    else this.troubles.report(site, { kind: 'behind', subject, what: reason })
  }

  async close(): Promise<void> {
    await this.#writers.close()
    await this.maintenance.stop()
    this.reader.closeAll()
  }

  /** Hands the write over with its workspace's quotas, after preparing it on the site's head. */
  async #prepared<T>(site: SiteRef, write: Write, handOver: (write: Write) => Promise<T>): Promise<T> {
    const { quotaUse: findUse, prepareRevert: prepareElsewhere } = this.#options
    const prepare = async (undoing: Undoing, withheld: readonly string[]) => {
      const aim = { head: this.reader.snapshot(site).commit, undoing, withheld }
      return await (prepareElsewhere?.(site, aim) ?? prepareRevert(this.repositories, site, aim))
    }
    const quotaUse = await findUse?.(site, write)
    return await withPreparedRevert(quotaUse === undefined ? write : { ...write, quotaUse }, prepare, handOver)
  }
}
