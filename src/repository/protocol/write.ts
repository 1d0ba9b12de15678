// The requests to a site's writer. All of it is plain data that can be structured-cloned, since it crosses a
// thread boundary.

import type { QuotaUse } from '../../admission/quotas.js'
import type { PagePath } from '../../model/paths/page-path.js'
import type { PreparedBranchMerge, PreparedDeploy, PreparedRevert } from './prepared.js'

export interface SiteRef {
  id: string
  /** The repository is `<data dir>/<slug>.git`. */
  slug: string
  /**
   * The id of a change request. Then its branch is meant in place of main: `refs/heads/<request>` in `<data dir>/drafts/<slug>.git`, with an
   * index file of its own.
   */
  request?: string | undefined
  /** The workspace whose sites share the turns and the queue of a writer thread; without one, the site has its own. */
  workspaceId?: string
}

/** A page as the caller read it at the commit `asOf`; the writer looks at later commits itself. */
export interface KnownPage {
  id: string
  path: PagePath
  /** The commit of the page's last change, as of the commit `asOf`. */
  lastChange: string
  asOf: string
  /** Whether a client set its title. If the sidecar's title has no mark, only the history tells. */
  titleIsSet: boolean
}

/** The lowest id among the sidecars that name a path, as the caller read it at the commit `asOf`; `id` is undefined for none. */
export interface KnownSidecar {
  id: string | undefined
  asOf: string
}

/** `ifMatch`: entity tags without quotes, or `*`. The write fails with `precondition_failed` unless one is current. */
export interface Precondition {
  ifMatch?: readonly string[] | '*'
}

/** The limit of undone versions that a rollback's commit message names. */
export const MAX_NAMED_VERSIONS = 100

/** The number of versions that a rollback undoes, and the newest of their commits, newest first. */
export interface Undone {
  newest: readonly string[]
  count: number
}

/** Commits to undo, or the commit to which the site goes back: in all of its paths, or in these. */
export type Undoing =
  | { commits: readonly string[]; backTo?: undefined }
  | { commits?: undefined; backTo: string; paths?: readonly string[] }

export type Operation =
  | Change
  | ({
      /** Undoes commits, the newest first, or all that was done since one, in one commit. The store prepares it before it reaches the writer. */
      kind: 'revert-commits'
      /** Blobs that it must not publish again. */
      withheld: readonly string[]
      /** The commit that must be the head. */
      ifHead?: string
      prepared?: PreparedRevert
    } & Undoing)
  | {
      /** Merges what another branch brings: a change request into main, or main into a change request. Prepared outside the writer. */
      kind: 'merge-branch'
      prepared: PreparedBranchMerge
      subject: string
    }
  | {
      /** Publishes a whole folder. Its trees were built on `prepared.base` outside the writer, and are in the packs of the write. */
      kind: 'deploy'
      prepared: PreparedDeploy
      /** The commit that must be the head. */
      ifHead?: string
    }
  /** All changes or none, in one commit. No two may change the same page or record. */
  | { kind: 'change-set'; changes: readonly Change[] }

/** New bytes of a page with other links, made from the version with this entity tag; if it has another now: `conflict` with `details.retry`. */
export interface Rewritten {
  html: Uint8Array
  etag: string
}

export interface Rewrite extends Rewritten {
  page: KnownPage
}

/** The move of a page to another path. */
export interface PageMove extends Precondition {
  page: KnownPage
  path: PagePath
  /** The sidecar that names the new path, of an unpublished page. */
  sidecar: KnownSidecar
  /** Undefined leaves the title as it is; null gives the page its document's. */
  title?: string | null
  rewritten?: Rewritten
}

/** One change of a page, a file, a collection or a record. */
export type Change =
  | FileOperation
  | ({
      /** POST and PUT by path. `replace: false` refuses a taken path with `page_exists`. */
      kind: 'publish-page'
      /** The id of a page that is made here, unless the path already has one (revived, or a pushed file). */
      newId: string
      path: PagePath
      html: Uint8Array
      /** Undefined leaves the title as it is; a new page then has its document's title. */
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
  | ({
      kind: 'unpublish-page'
      page: KnownPage
      /** The answer at its address from now on, by default 404. With it, the page may be unpublished already. */
      leaves?: { to: string } | { gone: true }
    } & Precondition)
  | ({ kind: 'move-page'; rewrites?: readonly Rewrite[] } & PageMove)
  | {
      /** Moves published pages and files of one folder. The old addresses lead to the new ones. */
      kind: 'move-folder'
      /** Paths with a slash at either end. */
      from: string
      to: string
      pages: readonly PageMove[]
      /** Tree paths. */
      files: readonly { from: string; to: string }[]
      rewrites: readonly Rewrite[]
    }
  | ({
      /** Restores the bytes `blob` of the version `version`; `undone` are the versions since. */
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
      /** `definition` is the oid of the collection file that validated the data; if it is another now: `conflict` with `details.retry`. */
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
      /** Refuses a path that has a file, with `precondition_failed`. */
      ifAbsent: boolean
      /** Replaces other bytes only with `ifMatch`; without it, throws `precondition_required`. */
      keepsUnmatched?: boolean
    } & Precondition)
  | ({ kind: 'delete-file'; path: string } & Precondition)
  | ({ kind: 'move-file'; from: string; to: string } & Precondition)
  | ({
      /** Restores the bytes `blob` of the version `version`; `undone` are the versions since. */
      kind: 'rollback-file'
      path: string
      version: string
      blob: string
      undone: Undone
    } & Precondition)

/** Bytes for the writer to store, or the oid of an object in the repository or in a pack of the write. */
export type NewBlob = { content: Uint8Array } | { oid: string }

/** A pack and its index outside of the repository, durable: `<path>.pack` and `<path>.idx`. */
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

/** A change request that a commit on main publishes. */
export interface Publication {
  request: string
  /** The commit of its branch that is merged. */
  head: string
}

export interface Write {
  operation: Operation
  /** The name of the commit's author: the key's label or a person. */
  author: string
  /** The person who made the change; undefined for keys of a workspace. */
  userId?: string
  /** Commit time, seconds since the epoch. */
  time: number
  /** `Api-Key-Id` (or `Session-Id`, `Token-Subject`), `Request-Id`, `Reason` (it becomes the subject), `Idempotency-Key` (`<sha256> <sha256>`), in this order. */
  trailers: readonly (readonly [name: string, value: string])[]
  /** Objects that do not pass through the writer: they are installed with the commit. The maker of the files removes them. */
  packs?: readonly PackToInstall[]
  /** The second parent of the commit: main, which the write merges into a change request. */
  merged?: string
  /** The change request that the commit publishes; if its branch has another head by now: `conflict` with `details.retry`. */
  publishes?: Publication
  /** The path patterns that the author may write to; without them, all paths. */
  paths?: readonly string[]
  /** The quotas of the site's workspace and their use; without it, there is no limit. */
  quotaUse?: QuotaUse
}
