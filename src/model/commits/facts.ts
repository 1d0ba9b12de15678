// The changes that one commit made to a site, and the heads of its documents, as plain data: the only input of the index.

import type { PagePath } from '../paths/page-path.js'

/** The fields of a page's sidecar (`.pages/<2 hex>/<uuid>.json`). */
export interface Sidecar {
  path: PagePath
  /** The title that a client set; null if the page has its document's title. */
  title: string | null
  /**
   * False for a title without the mark of a client's title: in its commit, it counts as set only if it differs from the
   * document's. Earlier versions wrote the document's title into each new sidecar.
   */
  isTitleMarked: boolean
  templateId: string | null
}

/** A page file that was added, changed or removed (`after` null). `path` is undefined for `.long/` files: their sidecar has it. */
export interface PageFileChange {
  treePath: string
  path: PagePath | undefined
  before: string | null
  after: { oid: string; size: number } | null
}

/** A file that is not a page and was added, changed or removed (`after` null). */
export interface FileChange {
  treePath: string
  before: string | null
  after: { oid: string; size: number } | null
}

/** A sidecar that was added, changed or removed (`sidecar` null). Invalid ones are reported as removed. */
export interface SidecarChange {
  pageId: string
  sidecar: Sidecar | null
}

export interface CollectionChange {
  collectionId: string
  definition: { name: string; schema: object | null; oid: string } | null
}

/** A record that was added, changed or removed (`oid` null). `data` is the parsed JSON object of the file, or null if it is left out. */
export interface RecordChange {
  collectionId: string
  recordId: string
  data: Record<string, unknown> | null
  oid: string | null
}

/** Signature of a commit: a good one of the service, another one (which the service cannot check, or a bad one), or none. */
export type Verified = 'service' | 'other' | 'none'

export interface CommitFacts {
  oid: string
  /** First parent; null for the first commit. */
  parent: string | null
  /** Committer time, seconds since the epoch. */
  time: number
  /** Author name. */
  author: string
  subject: string
  /** Subject, body, and the operation if a person wrote the subject. */
  message: string
  trailers: Readonly<Record<string, string>>
  /** Principal that made it through the service, as `makerIn` names it; null unless a signature of the service proves that. */
  maker: string | null
  verified: Verified
  /** Tree paths of pages and other files that the commit removed. */
  removedFiles: string[]
  pageFiles: PageFileChange[]
  files: FileChange[]
  sidecars: SidecarChange[]
  collections: CollectionChange[]
  records: RecordChange[]
}

/** The head of a document, as far as the index keeps it. */
export interface DocumentHead {
  title: string | null
  /** Lists what robots may not do, of `noindex nofollow noarchive nosnippet`, in this order and with a space between two; null for none. */
  robots: string | null
  /** The URL of `<link rel="canonical">` as it is written: absolute, or relative to the page. */
  canonical: string | null
}

export const NO_HEAD: DocumentHead = { title: null, robots: null, canonical: null }

/** Most changes that the index takes at once. The facts of a commit with more come in several parts, applied in one transaction. */
export const MAX_CHANGES_AT_ONCE = 100

export function countChanges(facts: CommitFacts): number {
  const { removedFiles, pageFiles, files, sidecars, collections, records } = facts
  return removedFiles.length + pageFiles.length + files.length + sidecars.length + collections.length + records.length
}
