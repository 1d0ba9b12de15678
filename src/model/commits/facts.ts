// The changes that one commit made to a site, as plain data: the only input of the index.

import type { PagePath } from '../paths/page-path.js'

/** The fields a page's sidecar holds (`.pages/<2 hex>/<uuid>.json`). */
export interface Sidecar {
  path: PagePath
  /** The title that a client set; null where the page has its document's. */
  title: string | null
  /**
   * False for a title without the mark of a client's title: in its commit, it counts as set only if it differs from the
   * document's. Earlier versions wrote the document's title into each new sidecar.
   */
  isTitleMarked: boolean
  templateId: string | null
}

/** A page file that appeared, changed or went (`after` null). `path` is undefined for `.long/` files: their sidecar says. */
export interface PageFileChange {
  treePath: string
  path: PagePath | undefined
  before: string | null
  after: { oid: string; size: number } | null
}

/** A file that is no page and appeared, changed or went (`after` null). */
export interface FileChange {
  treePath: string
  before: string | null
  after: { oid: string; size: number } | null
}

/** A sidecar that appeared, changed or went (`sidecar` null). Invalid ones are reported as gone. */
export interface SidecarChange {
  pageId: string
  sidecar: Sidecar | null
}

export interface CollectionChange {
  collectionId: string
  definition: { name: string; schema: object | null; oid: string } | null
}

/** A record that appeared, changed or went (`oid` null). `data` is the parsed JSON object of the file; null too where it is left out. */
export interface RecordChange {
  collectionId: string
  recordId: string
  data: Record<string, unknown> | null
  oid: string | null
}

/**
 * Whose signature a commit carries: the service's own, which is good; another one, which the service cannot check (or a bad one); or
 * none.
 */
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
  /** Subject, body, and the reason that was given for it. */
  message: string
  trailers: Readonly<Record<string, string>>
  /** Who made it through the service, as `makerIn` names them; null where no signature of the service proves that. */
  maker: string | null
  verified: Verified
  /** Tree paths of the pages' and other files that the commit removed. */
  removedFiles: string[]
  pageFiles: PageFileChange[]
  files: FileChange[]
  sidecars: SidecarChange[]
  collections: CollectionChange[]
  records: RecordChange[]
}

/** Of a commit with more changes the index reads git itself, in portions. */
export const MAX_CHANGES_AT_ONCE = 100

export function countChanges(facts: CommitFacts): number {
  const { removedFiles, pageFiles, files, sidecars, collections, records } = facts
  return removedFiles.length + pageFiles.length + files.length + sidecars.length + collections.length + records.length
}
