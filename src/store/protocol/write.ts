// What a caller asks a site's writer to do, and what the writer answers. All of it is plain data that can be
// structured-cloned, since it crosses a thread boundary.

import type { NewObject } from '../../git/objects/object.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import type { PageRow } from '../../catalog/index/tables/rows.js'
import type { PagePath } from '../../model/paths/page-path.js'

export interface SiteRef {
  id: string
  /** The repository is `<data dir>/<slug>.git`. */
  slug: string
  /** Whose sites share the turns and the queue of a writer thread; without one the site is for itself. */
  workspaceId?: string
}

/** A page as the caller read it at the commit `asOf`; the writer looks at the commits since by itself. */
export interface KnownPage {
  id: string
  path: PagePath
  /** The commit of the page's last change, as of the commit `asOf`. */
  lastChange: string
  asOf: string
  /** Whether a client set its title: only the history says so of a sidecar whose title has no mark. */
  titleIsSet: boolean
}

/** The lowest id among the sidecars that name a path, as the caller read it at the commit `asOf`; undefined for none. */
export interface KnownSidecar {
  id: string | undefined
  asOf: string
}

/** `ifMatch`: entity tags without quotes, or `*`; the write is refused with `precondition_failed` unless one is current. */
export interface Precondition {
  ifMatch?: readonly string[] | '*'
}

/** A commit's message names no more of the versions that a rollback undoes. */
export const MAX_NAMED_VERSIONS = 100

/** The commits of those that are named, newest first, and how many versions a rollback undoes. */
export interface Undone {
  newest: readonly string[]
  count: number
}

export type Operation =
  | Change
  | {
      /** Undoes commits, the newest first, in one commit. The store prepares it before it reaches the writer. */
      kind: 'revert-commits'
      commits: readonly string[]
      /** Blobs that it must not publish again. */
      withheld: readonly string[]
      prepared?: PreparedRevert
    }
  | {
      /** Publishes a whole folder: its trees were built on `prepared.base` outside the writer, and lie in the packs of the write. */
      kind: 'deploy'
      prepared: PreparedDeploy
      /** The commit that must be the head. */
      ifHead?: string
    }
  /** All changes or none, in one commit. No two may change the same page or record. */
  | { kind: 'change-set'; changes: readonly Change[] }

/** The changes of a revert, merged outside the writer. */
export interface PreparedRevert {
  /** The subject of the newest commit that is reverted. */
  subject: string
  edits: readonly FileEdit[]
  /** The files that the merge depended on. */
  judged: readonly JudgedFile[]
}

export interface JudgedFile {
  path: string
  /** Null where there was none. */
  before: { mode: number; oid: string } | null
}

/** A tree that was built outside the writer. */
export interface PreparedDeploy {
  /** The tree that it was built on, and the one that was built: the same where nothing differs. */
  base: string
  tree: string
  /** The paths in which the two differ. */
  touched: readonly string[]
  /** Whether it removes what it does not name: then no other page or file may have come since. */
  replaces: boolean
  subject: string
}

export interface FileEdit {
  path: string
  /** Null removes the file. */
  after: { mode: number; oid: string } | null
  /** Bytes that the repository does not hold yet. */
  content?: Uint8Array
}

/** One change of a page, a file, a collection or a record. */
export type Change =
  | FileOperation
  | ({
      /** POST and PUT by path. `replace: false` refuses a taken path with `page_exists`. */
      kind: 'publish-page'
      /** The id a page made here will have, unless the path already has one (revived, or a pushed file). */
      newId: string
      path: PagePath
      html: Uint8Array
      /** Undefined leaves the title as it is: on a new page, the document's. */
      title: string | undefined
      templateId: string | null
      replace: boolean
      /** The page that the index has at that path, if any. */
      known?: KnownPage
      sidecar?: KnownSidecar
    } & Precondition)
  | ({ kind: 'replace-page'; page: KnownPage; html: Uint8Array } & Precondition)
  | ({
      kind: 'retitle-page'
      page: KnownPage
      /** Null gives the page its document's title. */
      title: string | null
    } & Precondition)
  | ({ kind: 'unpublish-page'; page: KnownPage } & Precondition)
  | ({
      /** Puts the bytes `blob` of version `version` back; `undone` are the versions since. */
      kind: 'rollback-page'
      page: KnownPage
      version: string
      blob: string
      undone: Undone
    } & Precondition)
  | {
      kind: 'put-collection'
      collectionId: string
      name: string
      schema: object | null
      create: boolean
      ifMatch?: readonly string[] | '*'
      known?: KnownFile
    }
  | { kind: 'delete-collection'; collectionId: string; ifMatch?: readonly string[] | '*'; known?: KnownFile }
  | {
      /** `definition` is the oid of the collection file the data was validated against; another one now: `conflict` with `details.retry`. */
      kind: 'put-record'
      collectionId: string
      recordId: string
      /** The record's data, as canonical JSON. */
      json: string
      definition: string
      create: boolean
      ifMatch?: readonly string[] | '*'
      known?: KnownFile
    }
  | {
      kind: 'delete-record'
      collectionId: string
      recordId: string
      ifMatch?: readonly string[] | '*'
      known?: KnownFile
    }

/** One change of a file that is no page. Paths are tree paths; entity tags are blob oids. */
export type FileOperation =
  | ({
      kind: 'put-file'
      path: string
      blob: NewBlob
      /** Refuses a path where a file is, with `precondition_failed`. */
      ifAbsent: boolean
      /** Replaces other bytes only under `ifMatch`; without it, `precondition_required`. */
      keepsUnmatched?: boolean
    } & Precondition)
  | ({ kind: 'delete-file'; path: string } & Precondition)
  | ({ kind: 'move-file'; from: string; to: string } & Precondition)
  | ({
      /** Puts the bytes `blob` of version `version` back; `undone` are the versions since. */
      kind: 'rollback-file'
      path: string
      version: string
      blob: string
      undone: Undone
    } & Precondition)

/** Bytes for the writer to store; or an object that the repository holds, or that a pack of the write brings. */
export type NewBlob = { content: Uint8Array } | { oid: string }

/** A pack and its index that lie outside of the repository, durable: `<path>.pack` and `<path>.idx`. */
export interface PackToInstall {
  /** The pack's checksum, hex. */
  id: string
  path: string
  /** Bytes of the pack. */
  bytes: number
}

/** The last change of a record or collection as a reader knew it. */
export interface KnownFile {
  lastChange: string
  asOf: string
}

export interface Write {
  operation: Operation
  /** Name for the commit's author: the key's label or a person. */
  author: string
  /** Commit time, seconds since the epoch. */
  time: number
  /** `Api-Key-Id` (or `Session-Id`, `Token-Subject`), `Request-Id`, `Reason`, `Idempotency-Key` (`<sha256> <sha256>`), in this order. */
  trailers: readonly (readonly [name: string, value: string])[]
  /** Objects of the operation that pass no writer: they are installed with the commit. Whoever made the files removes them. */
  packs?: readonly PackToInstall[]
  /** The patterns of paths that the author may write to; without them, all. */
  paths?: readonly string[]
}

/** What a durable write did. `changed: false` means nothing differed and no commit was made. */
export interface Written {
  changed: boolean
  /** The commit that was made; without one, the head the write was judged against. */
  commit: string
  /** The page, record or collection written; the path of a file, with a slash before it. */
  id: string
  /** True when the id was not live before: 201. */
  created: boolean
  /** What the commit did, without the data of records; null without a commit, and where it did very much. */
  facts: CommitFacts | null
  /** The page as this commit left it, where the write was about one and its rows are stored. */
  page?: PageRow | undefined
  /** The result of each change of a set, in the order of the changes. */
  items?: readonly WrittenItem[]
}

/** A write that was built and not kept. */
export interface Drafted {
  written: Written
  /** The head that it was built on. */
  base: string
  /** What the write would have stored. */
  objects: readonly NewObject[]
}

export interface WrittenItem {
  /** The page or record; the path of a file, with a slash before it. */
  id: string
  created: boolean
  changed: boolean
}
