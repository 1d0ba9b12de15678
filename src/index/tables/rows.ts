// The rows that the index answers with, and the queries it takes. Times are RFC 3339 UTC in whole seconds
// (commit times), ids are lower case, commits and blobs are full oids.

import type { Verified } from '../../model/commits/facts.js'
import type { PagePath } from '../../model/paths/page-path.js'

export type PageStatus = 'published' | 'unpublished'

export interface PageRow {
  siteId: string
  id: string
  /** Canonical page path, `/docs/intro`. */
  path: string
  /** Path of its html in the tree, also after it was unpublished. */
  treePath: string
  /** Title of its document, unless a client set one; an unpublished page keeps that of its last document. */
  title: string | null
  titleIsSet: boolean
  templateId: string | null
  status: PageStatus
  /** Oid of the html; null while unpublished. */
  blob: string | null
  /** Bytes of the html; 0 while unpublished. */
  size: number
  /** The newest version. Of an unpublished page, the version that unpublished it. */
  version: { commit: string; number: number }
  /** Oid of the commit that last changed the html at the page's path or its sidecar; without quotes. */
  etag: string
  createdAt: string
  updatedAt: string
}

export type VersionAction = 'publish' | 'replace' | 'unpublish' | 'rollback' | 'revert' | 'move'

export interface VersionRow {
  pageId: string
  /** 1 is the first. */
  number: number
  commit: string
  action: VersionAction
  author: string
  /** Subject and body of the commit, and the reason given for it. */
  message: string
  verified: Verified
  /** The page's path in that commit. */
  path: string
  /** Null if the version removed the html. */
  blob: string | null
  size: number
  createdAt: string
}

export interface CollectionRow {
  siteId: string
  id: string
  name: string
  /** JSON Schema of its records; null takes any object. */
  schema: object | null
  /** Oid of the definition's blob: records are checked against it. */
  definition: string
  /** Oid of the commit that last changed the definition. */
  etag: string
  createdAt: string
  updatedAt: string
}

export interface RecordRow {
  siteId: string
  collectionId: string
  id: string
  data: Record<string, unknown>
  /** Oid of the commit that last changed the record. */
  etag: string
  createdAt: string
  updatedAt: string
}

/** The newest commit that carried an idempotency key. */
export interface IdempotentRow {
  requestHash: string
  commit: string
  /** Commit time, seconds since the epoch. */
  time: number
}

/** One page of a list. `nextCursor` is null on the last page. */
export interface Listing<Row> {
  rows: Row[]
  nextCursor: string | null
}

/** `cursor` is a `nextCursor` of the same list (any other text: `invalid_cursor`); `limit` is 1 to 1,000. */
export interface Slice {
  cursor?: string | undefined
  limit: number
}

export interface PageQuery extends Slice {
  /** Default `published`. */
  status?: PageStatus | 'all' | undefined
  /** Only the page with this id. */
  id?: string | undefined
  /** Only the page at exactly this path. */
  path?: string | undefined
  prefix?: string | undefined
  /** A part of the path or title; case is ignored. */
  q?: string | undefined
}

/** An existing file that is not a page. */
export interface FileRow {
  treePath: string
  blob: string
  size: number
  version: { commit: string; number: number }
  updatedAt: string
}

export interface FileVersionRow {
  /** 1 is the first. */
  number: number
  commit: string
  verified: Verified
  /** Null if the version removed the file. */
  blob: string | null
  size: number
  createdAt: string
}

export interface FileQuery extends Slice {
  /** Exactly this tree path. */
  path?: string | undefined
  prefix?: string | undefined
  /** A part of the path; case is ignored. */
  q?: string | undefined
}

export type FilterOperator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains'

/** `field` names nested fields with dots: `author.name`. `value` is typed by the collection's schema. */
export interface FieldFilter {
  field: string
  op: FilterOperator
  value: string
}

export interface FieldSort {
  field: string
  descending: boolean
}

export interface RecordQuery extends Slice {
  /** Words that must all occur in the record's texts; the last may be the beginning of a word. Any string is safe. */
  q?: string | undefined
  /** Only these records: the ones that `q` found. */
  among?: readonly string[] | undefined
  filter?: readonly FieldFilter[] | undefined
  /** Default: the order in which records were made. */
  sort?: readonly FieldSort[] | undefined
  /** The collection's schema, as its row has it. */
  schema: object | null
}

export interface LastChange {
  path: PagePath
  /** Commit time in seconds. */
  time: number
  title: string | null
  /** As `DocumentHead` has it, like the next one. */
  robots: string | null
  canonical: string | null
}

export interface StoredPath {
  path: PagePath
  treePath: string
}

/** A sidecar that names a path of another sidecar with a lower id. */
export interface InertSidecar {
  pageId: string
  path: string
  /** Id of the page that has the path. */
  winnerId: string
}
