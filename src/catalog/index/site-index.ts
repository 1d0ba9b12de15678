// The index of what sites hold: pages, versions, collections, records and idempotency keys, derived from git and from
// nothing else. Every call is synchronous and answers what was applied last; whoever asks catches the site up first.

import type { Clock } from '../../model/clock.js'
import type { CommitFacts, PageLeap } from '../../model/facts.js'
import type { PagePath } from '../../model/page-path.js'
import { sqliteCode } from '../sqlite.js'
import { applyFacts, applyRest, type BlobReader, chunksOf, IndexMoved, readSiteState } from './apply.js'
import { findCommitAsOf, findCommits } from './commit-queries.js'
import { findCollection, findIdempotencyKey, findRecord, listCollections } from './collection-queries.js'
import { IndexFile, isBroken } from './index-file.js'
import {
  countPages,
  findPage,
  findPageByPath,
  findSitesWithPage,
  findVersion,
  listInertSidecars,
  listLastChanges,
  listPages,
  listVersions,
} from './page-queries.js'
import { listRecords } from './record-queries.js'
import { forgetSite } from './forget-site.js'
import { findSidecar } from './occupant.js'
import type {
  CollectionRow,
  IdempotentRow,
  InertSidecar,
  Listing,
  PageQuery,
  PageRow,
  RecordQuery,
  RecordRow,
  Slice,
  VersionRow,
} from './rows.js'
import type { Sql } from './sql.js'
import { copyToTip, tipKeyOf } from './tip.js'

/** The file turned out broken and an empty one stands in its place: catch up and ask again. */
export class IndexLost extends Error {
  override name = 'IndexLost'
}

/** Opens `index.db` in `dataDir`. A broken file is set aside as `index.db.broken-<time>`, one of an older schema thrown away. */
export function openIndex(dataDir: string, clock: Clock = () => new Date(), lockPatience?: number): SiteIndex {
  return new SiteIndex(new IndexFile(dataDir, clock, lockPatience))
}

export class SiteIndex {
  readonly #file: IndexFile
  #isTogether = false

  constructor(file: IndexFile) {
    this.#file = file
  }

  /** The commit the site is indexed to; undefined before the first, and after the file was lost or deleted. */
  indexedCommit(siteId: string): string | undefined {
    this.#file.follow()
    return this.#ask((sql) => readSiteState(sql, siteId)?.indexed_commit)
  }

  /**
   * Takes the commits after `indexedCommit`, oldest first, in one transaction: all or nothing.
   * Throws `IndexMoved` when they do not continue there, or when another process is at it, and whatever `facts` and
   * `read` throw.
   */
  apply(siteId: string, facts: Iterable<CommitFacts>, read: BlobReader): void {
    this.#change((sql) => applyFacts(sql, siteId, facts, read))
  }

  /** Runs `work`, whose every `apply` then joins one transaction: all or nothing. Throws as `apply` does. */
  together(work: () => void): void {
    this.#change(() => {
      this.#isTogether = true
      try {
        work()
      } finally {
        this.#isTogether = false
      }
    })
  }

  /**
   * Takes a whole history in place of what is there, in transactions so short that other processes can work between
   * them. One that catches the same site up meanwhile is no trouble: what it took is passed over.
   */
  rebuild(siteId: string, facts: Iterable<CommitFacts>, read: BlobReader): void {
    this.reset(siteId)
    for (const chunk of chunksOf(facts)) {
      this.#change((sql) => applyRest(sql, siteId, chunk, read))
    }
  }

  /** Removes all that is known of a site. */
  reset(siteId: string): void {
    this.#change((sql) => {
      forgetSite(sql, siteId)
      forgetSite(sql, tipKeyOf(siteId))
    })
  }

  /** Runs questions that must be answered as of one moment, whatever other threads and processes write meanwhile. */
  atOneMoment<T>(ask: () => T): T {
    return this.#ask((sql) => sql.atOneMoment(ask))
  }

  /** The commit that the pages of `tip` are of; undefined without any. */
  tipCommit(siteId: string): string | undefined {
    return this.indexedCommit(tipKeyOf(siteId))
  }

  /** Makes the site's pages known as of a commit ahead of `indexedCommit`; `leap` begins at `tipCommit`, else there. */
  leap(siteId: string, leap: PageLeap, read: BlobReader): void {
    const key = tipKeyOf(siteId)
    this.#change((sql) => {
      if (readSiteState(sql, key) === undefined) copyToTip(sql, siteId)
      applyFacts(sql, key, [leap], read)
    })
  }

  /** The rows of `leap` have served. */
  dropTip(siteId: string): void {
    if (this.tipCommit(siteId) !== undefined) this.#change((sql) => forgetSite(sql, tipKeyOf(siteId)))
  }

  /**
   * The pages as of `tipCommit`. A page that changed since `indexedCommit` has that commit as its version and entity tag,
   * no version number (0), and its time as the page's last change.
   */
  tip(siteId: string): Pick<SiteIndex, 'page' | 'pageByPath' | 'pages'> {
    const key = tipKeyOf(siteId)
    const owned = (row: PageRow) => ({ ...row, siteId })
    const ownedIf = (row: PageRow | undefined) => row && owned(row)
    return {
      page: (_siteId, pageId) => ownedIf(this.page(key, pageId)),
      pageByPath: (_siteId, path) => ownedIf(this.pageByPath(key, path)),
      pages: (_siteId, query) => {
        const { rows, nextCursor } = this.pages(key, query)
        return { rows: rows.map(owned), nextCursor }
      },
    }
  }

  /** Commits on main's first-parent chain whose ids begin with `prefix`: two of them at the most. */
  commits(siteId: string, prefix: string): string[] {
    return this.#ask((sql) => findCommits(sql, siteId, prefix))
  }

  /** The head as of a time in seconds; the oldest commit for times before it. */
  commitAsOf(siteId: string, time: number): string | undefined {
    return this.#ask((sql) => findCommitAsOf(sql, siteId, time))
  }

  page(siteId: string, pageId: string): PageRow | undefined {
    return this.#ask((sql) => findPage(sql, siteId, pageId))
  }

  /** The page at a path, published or not. */
  pageByPath(siteId: string, path: string): PageRow | undefined {
    return this.#ask((sql) => findPageByPath(sql, siteId, path))
  }

  /** The lowest id among the sidecars that name a path. */
  sidecarAt(siteId: string, path: PagePath): string | undefined {
    return this.#ask((sql) => findSidecar(sql, siteId, path))
  }

  /** Ordered by path. Throws `invalid_cursor`. */
  pages(siteId: string, query: PageQuery): Listing<PageRow> {
    return this.#ask((sql) => listPages(sql, siteId, query))
  }

  /** How many are published. */
  countPages(siteId: string): number {
    return this.#ask((sql) => countPages(sql, siteId))
  }

  /** Those of `siteIds` that have a page of this id, published or not. */
  sitesWithPage(siteIds: readonly string[], pageId: string): string[] {
    return this.#ask((sql) => findSitesWithPage(sql, siteIds, pageId))
  }

  /** Newest first. Throws `invalid_cursor`. */
  versions(siteId: string, pageId: string, slice: Slice): Listing<VersionRow> {
    return this.#ask((sql) => listVersions(sql, siteId, pageId, slice))
  }

  /** By number, or by the full oid of the version's commit. */
  version(siteId: string, pageId: string, version: number | string): VersionRow | undefined {
    return this.#ask((sql) => findVersion(sql, siteId, pageId, version))
  }

  /** When the html of each published page was last changed: seconds. */
  lastChanges(siteId: string): { path: string; time: number }[] {
    return this.#ask((sql) => listLastChanges(sql, siteId))
  }

  /** Sidecars that name a path which a lower id has. */
  inertSidecars(siteId: string): InertSidecar[] {
    return this.#ask((sql) => listInertSidecars(sql, siteId))
  }

  /** In the order they were made. Throws `invalid_cursor`. */
  collections(siteId: string, slice: Slice): Listing<CollectionRow> {
    return this.#ask((sql) => listCollections(sql, siteId, slice))
  }

  collection(siteId: string, collectionId: string): CollectionRow | undefined {
    return this.#ask((sql) => findCollection(sql, siteId, collectionId))
  }

  /** Throws `invalid_query` for filters and sorts that the schema rules out, `invalid_cursor`. */
  records(siteId: string, collectionId: string, query: RecordQuery): Listing<RecordRow> {
    return this.#ask((sql) => listRecords(sql, siteId, collectionId, query))
  }

  record(siteId: string, collectionId: string, recordId: string): RecordRow | undefined {
    return this.#ask((sql) => findRecord(sql, siteId, collectionId, recordId))
  }

  /** The newest commit that carried this key, however old: its age is the caller's to judge. */
  idempotent(siteId: string, keyHash: string): IdempotentRow | undefined {
    return this.#ask((sql) => findIdempotencyKey(sql, siteId, keyHash))
  }

  close(): void {
    this.#file.close()
  }

  #change(work: (sql: Sql) => void): void {
    try {
      this.#ask((sql) => sql.transact(() => work(sql)))
    } catch (error) {
      if (sqliteCode(error) !== 'SQLITE_BUSY') throw error
      throw new IndexMoved('Another process is writing to the index.', { cause: error })
    }
  }

  #ask<T>(work: (sql: Sql) => T): T {
    try {
      return work(this.#file.sql)
    } catch (error) {
      // Within a transaction its end says so: a file in use is not replaced.
      if (!isBroken(error) || this.#isTogether) throw error
      this.#file.replace()
      throw new IndexLost('The index was broken and has been emptied: it is rebuilt from git.', { cause: error })
    }
  }
}
