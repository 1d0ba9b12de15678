// The seam between the store and the storage of the sites' repositories. The code above it knows heads, objects by id and commits, but
// neither files nor folders. test/repository/protocol/repository-contract.ts tests implementations against the promises here.
//
// Reading and building are synchronous. Storage outside of this machine is awaited in few places. A batch waits before it begins
// (`untilHeadIsDurable`) and when its commits are stored (`commit`). So do the begin and end of a site (`create`, `adopt`, `retire`), and
// fetches from other machines (`follow`). On a disk these are plain synchronous calls too: a dozen awaited promises cost more than a
// publish (docs/decisions/0030-asynchronous-seam.md).
//
// There is no `watch` here: a reader of a site asks for `headMark` each time, and for `head` if the mark has changed. An implementation
// that is notified of moves answers both from memory.

import type { RefLog } from '../../git/repository/ref.js'
import type { NewObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import type { Tag } from '../../git/repository/tags.js'
import type { TagMove } from './ref-moves.js'
import type { PackToInstall, Publication, SiteRef } from './write.js'

/** The repositories of all sites. */
export interface Repositories {
  /** Reads nothing yet: a missing or damaged repository shows at the first read. */
  open(site: SiteRef): Repository
  /**
   * Opens the repository for the site's only writer in this process. Removes unfinished work of a crashed writer; what it published stays.
   * Throws RepositoryInvalid with the reason if the promises below cannot be kept here.
   */
  openForWriting(site: SiteRef): WritableRepository
  /** Makes the repository with a first commit that holds the site file: whole and durable, or not at all. `time` in seconds. */
  create(site: SiteRef, time: number): void | Promise<void>
  /**
   * Makes the repository at `gitdir` the site's: durable, whole or not at all. Exists only if repositories are on this machine's disk.
   */
  adopt?(site: SiteRef, gitdir: string): void | Promise<void>
  /**
   * Brings this machine's copy of the site to all that was committed on any machine before the call. No batch of the site may be in
   * progress.
   */
  follow(site: SiteRef): void | Promise<void>
  /** Whether the repository exists and stays: a power cut after the answer does not undo it. */
  exists(site: SiteRef): boolean
  /**
   * Makes the branch of a change request at `fork`, a commit of main's first-parent history, unless it is there. Makes the repository of the
   * site's change requests too. `time` in seconds.
   */
  beginRequest(site: SiteRef, fork: Oid, time: number): void | Promise<void>
  /** Removes the branch of a change request; its objects go with the next maintenance. Does nothing if there is none. */
  endRequest(site: SiteRef): void | Promise<void>
  /** Takes a deleted site's repository, and that of its change requests, away from readers and writers, for an operator to keep or remove. Does nothing if there is none. */
  retire(site: SiteRef): void | Promise<void>
  /** Verifies the repository, and restores its settings and hooks. Throws RepositoryInvalid. */
  repair(site: SiteRef): void
  /** Returns the bytes of free space for writes. */
  freeBytes(): number
}

/** The refs that git's clients see, and no others (design §8). */
export interface AdvertisedRefs {
  main: Oid
  tags: readonly Tag[]
}

export interface Repository {
  /** Has every object that a returned head reaches. Objects never change; each is checked against its id. */
  readonly objects: ObjectReader
  /**
   * Returns the commit at main; undefined without that branch. It sees every `commit` that returned before, of any thread or process on
   * this machine, and what operators pushed. All that it reaches can be read from `objects`.
   * Throws RepositoryInvalid if main names no commit, and errors of the system unchanged.
   */
  head(): Oid | undefined
  /** Returns a value that changes when `head` does, within a few microseconds. Undefined if that cannot be told: then ask `head`. */
  headMark(): string | undefined
  /** Returns all current tags, by name, also those that operators made. */
  tags(): readonly Tag[]
  /** Takes objects that another thread committed into memory, so that they need not be read and hashed again. */
  remember(objects: readonly NewObject[]): void
  /** Closes files; reading again opens them again. */
  close(): void
}

export interface WritableRepository extends Repository {
  /**
   * Returns undefined if `headToBuildOn` answers without waiting. Otherwise resolves when that is worth another try, and never
   * rejects. Settles an unknown outcome if it can be settled.
   */
  untilHeadIsDurable(): Promise<void> | undefined
  /**
   * Returns the head to build a commit on. It survives a power cut with all that it reaches, also if another program wrote it. A head of
   * this writer that is no longer in its history is kept as lost. Throws RefLocked if another program holds main, and RepositoryInvalid
   * without a main branch. Throws errors of the system while the outcome of an earlier commit is unknown.
   */
  headToBuildOn(): Oid
  /**
   * Makes main survive a power cut, also while another program holds it. Otherwise throws as `headToBuildOn` does.
   */
  settle(): void
  /**
   * Moves main from `expected` to `next` and keeps the objects, all at once. `done`: main, and every object, survives a power cut;
   * readers that ask for `head` from now on see it. `moved`: main was not at `expected`, and nothing was kept.
   * Throws OutcomeUnknown if main may have moved but may not survive a power cut: then `headToBuildOn` throws until that is
   * settled. Throws RefLocked if another program holds main, KeysTaken, RequestsMoved, and errors of the system: then nothing was kept. Throws
   * `change_request_closed` for the branch of a published change request.
   * Allows one call at a time: the next begins once this one has ended.
   */
  commit(commit: NextCommit): CommitOutcome | Promise<CommitOutcome>
  /**
   * Moves tags, all or none, with the objects that they need. `moved`: a tag is not as it was before, or its name is a folder of others.
   * Otherwise as `commit`. Exists only if refs are stored outside of this machine; here git moves them (src/repository/pushing/pushed-tags.ts).
   */
  moveTags?(move: TagMove): Promise<CommitOutcome>
  /** Runs the work while no other program on this machine can move main. Rejects with RefLocked if another program holds it. */
  holdMain<T>(work: () => Promise<T>): Promise<T>
  /**
   * Returns in how many milliseconds the next batch asks again; 0 if it need not wait. So a client who is about to push is not overtaken.
   * `now` is a monotonic time in milliseconds.
   */
  pauseFor(now: number): number
  /**
   * Records that a client was told the head in order to push, or sends a push now: `pauseFor` delays the next batches for it. Returns in
   * how many milliseconds that begins.
   */
  expectPush(now: number): number
  /** Records that the expected push moved main. */
  endPush(now: number): void
  /** Whether enough small packs have gathered for maintenance. Returns true only once for each time. */
  takeMaintenanceDue(): boolean
}

/** The third outcome, unknown, is an error: OutcomeUnknown has the cause. */
export type CommitOutcome = 'done' | 'moved'

export interface NextCommit {
  expected: Oid
  next: Oid
  /** The new objects. With those of `packs` they are all that `next` reaches and `expected` does not, `next` included. */
  objects: readonly NewObject[]
  packs: readonly PackToInstall[]
  log: RefLog
  /** Hashes of the idempotency keys of its requests. The commits are kept only if no other commit of the last 24 hours has one of them. */
  keys?: readonly string[]
  /** The change requests that the commits publish. Their branches take no more commits. */
  publishes?: readonly Publication[]
}

/** Another machine has carried out requests with these idempotency keys. */
export class KeysTaken extends Error {
  override name = 'KeysTaken'
  readonly keys: ReadonlySet<string>

  constructor(keys: readonly string[]) {
    super('another machine has carried out a request with the same Idempotency-Key')
    this.keys = new Set(keys)
  }
}

/** These change requests have other heads than those to publish, or are published already. */
export class RequestsMoved extends Error {
  override name = 'RequestsMoved'
  readonly requests: ReadonlySet<string>

  constructor(requests: readonly string[]) {
    super('a change request was written to, or published, since it was merged')
    this.requests = new Set(requests)
  }
}
