// The store as the rest of the service uses it: sites to read at their heads, and writes that are durable when answered.

import { Admission } from '../admission/admission.js'
import { DEFAULT_SIZES } from '../admission/row.js'
import type { Oid } from '../git/objects/oid.js'
import { DiskRepositories } from './disk/disk-repositories.js'
import type { FetchSource } from './disk/fetching/serve-fetch.js'
import { FirstVerification } from './health/first-verification.js'
import { maintenanceOf, type MaintenanceQueue } from './health/maintenance-queue.js'
import { CommitReader } from './reading/commit-reader.js'
import type { OtherReaders } from './reading/other-readers.js'
import { openDraft, type SiteDraft } from './reading/site-draft.js'
import type { AdvertisedRefs } from './protocol/repository.js'
import { hasTags, headIfReadable } from './refs-here.js'
import { SiteReader } from './reading/site-reader.js'
import type { SnapshotSource } from './reading/snapshot-source.js'
import { readable, type Snapshot } from './reading/snapshot.js'
import { Troubles } from './health/troubles.js'
import type { QuotaKeeper } from './protocol/quota-keeper.js'
import type { SiteRef, Write } from './protocol/write.js'
import type { Written } from './protocol/written.js'
import { prepareRevert, type RevertAim } from './reverting/prepare-revert.js'
import { withPreparedRevert } from './reverting/with-prepared-revert.js'
import type { StoreOptions } from './store-options.js'
import { RefMover } from './writing/ref-mover.js'
import { WriterPool } from './writing/writer-pool.js'

export class Store {
  readonly troubles: Troubles
  /** The repositories, for operators' work other than reading and writing. */
  readonly repositories: DiskRepositories
  readonly refMover: RefMover
  readonly commits: CommitReader
  /** The reader of the API's thread. Visitors ask it for heads alone. */
  readonly reader: SiteReader
  readonly #prepareRevert: NonNullable<StoreOptions['prepareRevert']>
  readonly #quotas: QuotaKeeper | undefined
  readonly #writers: WriterPool
  readonly #maintenance: MaintenanceQueue
  readonly #otherReaders: OtherReaders | undefined

  constructor(options: StoreOptions) {
    const { dataDir, limits, database, admission = new Admission(DEFAULT_SIZES) } = options
    this.troubles = options.troubles ?? new Troubles({ clock: () => new Date() })
    this.repositories = new DiskRepositories(dataDir)
    this.#quotas = options.quotas
    this.#prepareRevert = options.prepareRevert ?? ((site, aim) => prepareRevert(this.repositories, site, aim))
    const verification = new FirstVerification({
      verify: (site) => this.repair(site),
      onFailed: (site, error) => this.reader.noteFailure(site)(error),
    })
    this.#otherReaders = options.otherReaders
    this.reader = new SiteReader({
      repositories: this.repositories,
      troubles: this.troubles,
      hearsOfEveryWrite: true,
      onOpen: (site) => verification.request(site),
    })
    this.commits = new CommitReader(this.reader)
    this.#maintenance = maintenanceOf(this.repositories, this.troubles)
    this.#writers = new WriterPool(
      {
        dataDir,
        diskReserveBytes: limits.diskReserveBytes,
        log: database && { ...database, threads: limits.writerThreads },
      },
      { writerThreads: limits.writerThreads, admission },
      ({ site, trees, isMaintenanceDue }) => {
        this.reader.rememberTrees(site, trees)
        this.#otherReaders?.rememberTrees(site, trees)
        if (isMaintenanceDue) this.#maintenance.request(site)
      },
    )
    this.refMover = new RefMover({ writers: this.#writers, reader: this.reader, isLogged: database !== undefined })
  }

  /** Returns the site at its head, with every write and push that was over before the call. Throws `site_unreadable` if that fails. */
  snapshot(site: SiteRef): Snapshot {
    return this.reader.snapshot(site)
  }

  /** Returns the refs of the site for git's clients. Throws as `snapshot` does. */
  advertisedRefs(site: SiteRef): AdvertisedRefs {
    return this.reader.advertisedRefs(site)
  }

  /** Returns the same refs without reading main's commit. Throws as `head` does. */
  refs(site: SiteRef): AdvertisedRefs {
    return this.reader.refs(site)
  }

  /** Returns the site for `repositories.fetches`, as a client sees it now. Throws as `snapshot` does. */
  fetchSource(site: SiteRef): FetchSource {
    const refs = this.advertisedRefs(site)
    return { siteId: site.id, gitdir: this.repositories.gitdir(site), refs, objects: this.reader.objects(site) }
  }

  /** Returns the commit that `snapshot` shows, without reading it. Throws `site_unreadable` if the ref cannot be read. */
  head(site: SiteRef): Oid {
    return this.reader.head(site)
  }

  /** Returns the values that another process needs to read a snapshot of the site, by default at its head. */
  sourceOf(site: SiteRef, { commit } = this.snapshot(site)): SnapshotSource {
    return { siteId: site.id, gitdir: this.repositories.gitdir(site), commit }
  }

  /** Returns the same values for a site with a draft applied. */
  draftSourceOf(site: SiteRef, { snapshot, objects, packs }: SiteDraft): SnapshotSource {
    return { ...this.sourceOf(site, snapshot), drafted: objects, packs }
  }

  /** Throws `site_not_found` for a site that this process deleted. */
  refuseDeleted(site: SiteRef): void {
    this.reader.refused.refuseDeleted(site)
  }

  /** Queues the write behind the site's others; resolves when it is durable and live. */
  async write(site: SiteRef, write: Write): Promise<Written> {
    return await this.#prepared(site, write, (prepared) => this.#enqueue(site, prepared))
  }

  async #enqueue(site: SiteRef, write: Write): Promise<Written> {
    this.refuseDeleted(site)
    const written = await this.#writers.write(site, write).finally(() => this.reader.expire(site.slug))
    this.#quotas?.noteWritten(site, write, written)
    return written
  }

  /** Builds the write on the head and stores nothing. Rejects as the write would. */
  async draft(site: SiteRef, write: Write): Promise<SiteDraft> {
    return await this.#prepared(site, write, (prepared) => this.#draft(site, prepared))
  }

  async #draft(site: SiteRef, write: Write): Promise<SiteDraft> {
    this.refuseDeleted(site)
    const drafted = await this.#writers.draft(site, write)
    const onFailure = this.reader.noteFailure(site)
    return readable(() => openDraft(site, this.reader.objects(site), drafted, write, onFailure), onFailure)
  }

  /** Makes the site's repository; durable when it resolves. `time` in seconds. */
  async createSite(site: SiteRef, time: number): Promise<void> {
    await this.#writers.createRepository(site, time)
  }

  /** Makes an imported repository the site's; durable when it resolves. */
  async adoptSite(site: SiteRef, { gitdir }: { gitdir: string }): Promise<void> {
    await this.#writers.adoptRepository(site, gitdir)
  }

  /**
   * Takes a deleted site away from readers and writers, and moves its repository aside. Every waiting write is answered: with its
   * result, or `site_not_found`.
   */
  async retireSite(site: SiteRef): Promise<void> {
    this.reader.retire(site)
    this.#otherReaders?.forget(site)
    this.troubles.forget(site)
    await this.#writers.retireRepository(site)
  }

  /** Returns the commit at main; undefined if this machine has no readable repository of the site. Reports no error. */
  headIfReadable(site: SiteRef): Oid | undefined {
    return headIfReadable(this.repositories, site)
  }

  /** Whether this machine's repository of the site has main and tags (`markOfTags`) as its log says. */
  isAt(site: SiteRef, { head, tags }: { head: Oid | null; tags: string }): boolean {
    return head !== null && this.headIfReadable(site) === head && hasTags(this.repositories.gitdir(site), tags)
  }

  /**
   * Makes sure that the commits in main survive a power cut, even if the write that made them got no answer. After that, answers may
   * rely on them. Rejects with `storage_failed` while this cannot be told.
   */
  async settle(site: SiteRef): Promise<void> {
    await this.#writers.settle(site)
  }

  /** Brings this machine's repository of the site to all that was committed on any machine before the call. */
  async follow(site: SiteRef): Promise<void> {
    await this.#writers.follow(site)
    this.reader.expire(site.slug)
  }

  /** Sets why commits of other machines are missing here; undefined ends that. Until then, reads of the site fail with `site_busy`. */
  setBehind(site: SiteRef, reason: string | undefined): void {
    this.reader.refused.setBehind(site, reason !== undefined)
    if (reason === undefined) this.troubles.clear(site, 'behind')
    else this.troubles.report(site, { kind: 'behind', what: reason })
  }

  /** Marks a site as not here yet. Its reads fail with `site_busy`, but nothing is wrong with it. */
  setAway(site: SiteRef): void {
    this.reader.refused.setBehind(site, true)
  }

  isBehind(site: SiteRef): boolean {
    return this.reader.refused.isBehind(site)
  }

  /** Verifies the site's repository and restores its settings and hooks. Rejects with the reason if it cannot. */
  async repair(site: SiteRef): Promise<void> {
    await this.#writers.openRepository(site)
  }

  /** Has the repository maintained soon if that is due. */
  maintainIfDue(site: SiteRef): void {
    this.#maintenance.requestIfDue(site)
  }

  /** The maintenance that runs, and the sites that wait for it. */
  get maintenanceFigures(): { running: number; waiting: number } {
    return this.#maintenance.figures
  }

  /** Keeps a commit that main no longer reaches under refs/palimpsest/lost/. */
  async keepLost(site: SiteRef, commit: Oid): Promise<void> {
    await this.#writers.keepLost(site, commit)
  }

  async close(): Promise<void> {
    await this.#writers.close()
    await this.#maintenance.stop()
    this.reader.closeAll()
  }

  /** Hands the write over with its workspace's quotas, after preparing it on the site's head. */
  async #prepared<T>(site: SiteRef, write: Write, handOver: (write: Write) => Promise<T>): Promise<T> {
    const prepare = ({ commits, withheld }: Omit<RevertAim, 'head'>) =>
      this.#prepareRevert(site, { head: this.snapshot(site).commit, commits, withheld })
    const quotaUse = this.#quotas && (await this.#quotas.quotaUseFor(site, write))
    return await withPreparedRevert(quotaUse === undefined ? write : { ...write, quotaUse }, prepare, handOver)
  }
}
