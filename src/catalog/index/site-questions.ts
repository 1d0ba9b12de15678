// What the index is asked: pages, versions, collections, records and idempotency keys. Every call is synchronous and answers
// what was applied last; whoever asks catches the site up first.

import type { PagePath } from '../../model/paths/page-path.js'
import { findCommitAsOf, findCommits } from './commit-queries.js'
import { findCollection, findIdempotencyKey, findRecord, listCollections } from './records/collection-queries.js'
import { findSidecar } from './pages/occupant.js'
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
} from './pages/page-queries.js'
import { listRecords } from './records/record-queries.js'
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
} from './tables/rows.js'
import type { Sql } from './tables/sql.js'

export abstract class SiteQuestions {
  protected abstract ask<T>(work: (sql: Sql) => T): T

  /** Commits on main's first-parent chain whose ids begin with `prefix`: two of them at the most. */
  commits(siteId: string, prefix: string): string[] {
    return this.ask((sql) => findCommits(sql, siteId, prefix))
  }

  /** The head as of a time in seconds; the oldest commit for times before it. */
  commitAsOf(siteId: string, time: number): string | undefined {
    return this.ask((sql) => findCommitAsOf(sql, siteId, time))
  }

  page(siteId: string, pageId: string): PageRow | undefined {
    return this.ask((sql) => findPage(sql, siteId, pageId))
  }

  /** The page at a path, published or not. */
  pageByPath(siteId: string, path: string): PageRow | undefined {
    return this.ask((sql) => findPageByPath(sql, siteId, path))
  }

  /** The lowest id among the sidecars that name a path. */
  sidecarAt(siteId: string, path: PagePath): string | undefined {
    return this.ask((sql) => findSidecar(sql, siteId, path))
  }

  /** Ordered by path. Throws `invalid_cursor`. */
  pages(siteId: string, query: PageQuery): Listing<PageRow> {
    return this.ask((sql) => listPages(sql, siteId, query))
  }

  /** How many are published. */
  countPages(siteId: string): number {
    return this.ask((sql) => countPages(sql, siteId))
  }

  /** Those of `siteIds` that have a page of this id, published or not. */
  sitesWithPage(siteIds: readonly string[], pageId: string): string[] {
    return this.ask((sql) => findSitesWithPage(sql, siteIds, pageId))
  }

  /** Newest first. Throws `invalid_cursor`. */
  versions(siteId: string, pageId: string, slice: Slice): Listing<VersionRow> {
    return this.ask((sql) => listVersions(sql, siteId, pageId, slice))
  }

  /** By number, or by the full oid of the version's commit. */
  version(siteId: string, pageId: string, version: number | string): VersionRow | undefined {
    return this.ask((sql) => findVersion(sql, siteId, pageId, version))
  }

  /** When the html of each published page was last changed: seconds. */
  lastChanges(siteId: string): { path: string; time: number }[] {
    return this.ask((sql) => listLastChanges(sql, siteId))
  }

  /** Sidecars that name a path which a lower id has. */
  inertSidecars(siteId: string): InertSidecar[] {
    return this.ask((sql) => listInertSidecars(sql, siteId))
  }

  /** In the order they were made. Throws `invalid_cursor`. */
  collections(siteId: string, slice: Slice): Listing<CollectionRow> {
    return this.ask((sql) => listCollections(sql, siteId, slice))
  }

  collection(siteId: string, collectionId: string): CollectionRow | undefined {
    return this.ask((sql) => findCollection(sql, siteId, collectionId))
  }

  /** Throws `invalid_query` for filters and sorts that the schema rules out, `invalid_cursor`. */
  records(siteId: string, collectionId: string, query: RecordQuery): Listing<RecordRow> {
    return this.ask((sql) => listRecords(sql, siteId, collectionId, query))
  }

  record(siteId: string, collectionId: string, recordId: string): RecordRow | undefined {
    return this.ask((sql) => findRecord(sql, siteId, collectionId, recordId))
  }

  /** The newest commit that carried this key, however old: its age is the caller's to judge. */
  idempotent(siteId: string, keyHash: string): IdempotentRow | undefined {
    return this.ask((sql) => findIdempotencyKey(sql, siteId, keyHash))
  }
}
