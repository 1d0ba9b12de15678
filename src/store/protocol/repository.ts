// The seam between the store and whatever keeps the sites' repositories. The code above it knows heads, objects by id and
// commits, and neither files nor folders; test/store/protocol/repository-contract.ts holds an implementation to what is promised here.
//
// Reading and building are synchronous. What is kept elsewhere than on this machine is waited for in few places: before a batch
// (`untilHeadIsDurable`), where its commits are kept (`commit`), where a site begins and ends (`create`, `retire`), and where
// commits of other machines are fetched (`follow`). On a disk
// these are plain synchronous calls too: a dozen awaited promises cost more than a publish (docs/decisions/0030-asynchronous-seam.md).
//
// There is no `watch` here: who reads a site asks for `headMark` each time, and for `head` where that has changed. An implementation
// that is told of moves answers both from memory.

import type { RefLog } from '../../git/repository/ref.js'
import type { NewObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import type { Tag } from '../../git/repository/tags.js'
import type { TagMove } from './push.js'
import type { PackToInstall, SiteRef } from './write.js'

/** The repositories of all sites. */
export interface Repositories {
  /** Reads nothing yet: a repository that is missing or damaged shows when it is read. */
  open(site: SiteRef): Repository
  /**
   * For the site's one writer in this process. What a crashed writer left half done is cleared away; what it published stays.
   * Throws RepositoryInvalid with the reason why the promises below cannot be kept here.
   */
  openForWriting(site: SiteRef): WritableRepository
  /** Makes the repository with a first commit that holds the site file: whole and durable, or not at all. `time` in seconds. */
  create(site: SiteRef, time: number): void | Promise<void>
  /**
   * The repository that was made at `gitdir` becomes the site's: durable, whole or not at all. Only where repositories lie on this machine's
   * disk.
   */
  adopt?(site: SiteRef, gitdir: string): void | Promise<void>
  /**
   * Brings what this machine has of the site to what was committed anywhere before this was called. No batch of the site may be
   * under way.
   */
  follow(site: SiteRef): void | Promise<void>
  /** True for a repository that is there to stay: a power cut after the answer does not take it. */
  exists(site: SiteRef): boolean
  /** Takes a deleted site's repository away from readers and writers, for an operator to keep or remove. Without one it does nothing. */
  retire(site: SiteRef): void | Promise<void>
  /** Keeps a commit that main no longer reaches, with all that it reaches. Nothing where the repository does not hold it. */
  keepLost(site: SiteRef, commit: Oid): void
  /** Verifies the repository, and puts its settings and hooks back. Throws RepositoryInvalid. */
  repair(site: SiteRef): void
  /** Room that is left for what is written. */
  freeBytes(): number
}

/** The refs that git's clients are told of, and no others (design §8). */
export interface AdvertisedRefs {
  main: Oid
  tags: readonly Tag[]
}

export interface Repository {
  /** Every object that a head reaches that was ever answered. Objects never change; each is checked against its id. */
  readonly objects: ObjectReader
  /**
   * The commit at main, undefined where there is none. It sees every `commit` that returned before, of whatever thread or
   * process on this machine, and what operators pushed. What it reaches can be read from `objects`.
   * Throws RepositoryInvalid where main names no commit, and errors of the system as they are.
   */
  head(): Oid | undefined
  /** Differs from what it was once `head` does, at the cost of a few microseconds. Undefined where that cannot be told: then `head` is asked. */
  headMark(): string | undefined
  /** All tags, by name, also those that operators made: as they are now. */
  tags(): readonly Tag[]
  /** Takes objects that another thread committed into memory, so that nobody reads and hashes them again. */
  remember(objects: readonly NewObject[]): void
  /** Closes files; reading again opens them again. */
  close(): void
}

export interface WritableRepository extends Repository {
  /**
   * Undefined where `headToBuildOn` answers without waiting. Otherwise resolves when that is worth another look; it never
   * rejects. It settles an outcome that is unknown, where that can be settled.
   */
  untilHeadIsDurable(): Promise<void> | undefined
  /**
   * The head to build a commit on. It survives a power cut with all that it reaches, whoever put it there; a head of
   * this writer that is no longer in its history is kept as lost. Throws RefLocked where another program holds main,
   * RepositoryInvalid without a main branch, and errors of the system while the outcome of an earlier commit is unknown.
   */
  headToBuildOn(): Oid
  /**
   * Whatever main names survives a power cut when this returns, also where another program holds main. Otherwise throws as `headToBuildOn` does.
   */
  settle(): void
  /**
   * Moves main from `expected` to `next` and keeps the objects, all at once. `done`: main, and every object, survives a power cut;
   * readers that ask for `head` from now on see it. `moved`: main was not at `expected`, and nothing was kept.
   * Throws OutcomeUnknown where main may have moved, and may not survive a power cut: then `headToBuildOn` throws until that is
   * settled. Throws RefLocked where another program holds main, KeysTaken, and errors of the system: then nothing was kept.
   * One call at a time: the next begins once this one has ended.
   */
  commit(commit: NextCommit): CommitOutcome | Promise<CommitOutcome>
  /**
   * Moves tags, all or none, with the objects that they need: `moved` where one is not as it was before, or has the name of a folder of others.
   * Otherwise as `commit`. Only where refs are kept elsewhere than on this machine: here git moves them (src/store/pushing/pushed-tags.ts).
   */
  moveTags?(move: TagMove): Promise<CommitOutcome>
  /** Runs the work while nobody else on this machine can move main. Rejects with RefLocked where another program holds it. */
  holdMain<T>(work: () => Promise<T>): Promise<T>
  /**
   * Milliseconds for which the next batch should wait, so that an operator who is about to push is not outrun; 0 for none.
   * `now` is a monotonic time in milliseconds.
   */
  pauseFor(now: number): number
  /**
   * Somebody was told the head in order to push, or sends a push now (`isComingIn`): `pauseFor` keeps the next batches back for it.
   * Answers in how many milliseconds that begins.
   */
  expectPush(now: number, isComingIn: boolean): number
  /** The push that was expected moved main. */
  endPush(now: number): void
  /** Whether so much small work has gathered that the repository should be maintained; true once for each time that it has. */
  takeMaintenanceDue(): boolean
}

/** The third outcome, unknown, is an error: OutcomeUnknown says what stood in the way. */
export type CommitOutcome = 'done' | 'moved'

export interface NextCommit {
  expected: Oid
  next: Oid
  /** With those of the packs: `next` and what it reaches that `expected` does not. */
  objects: readonly NewObject[]
  packs: readonly PackToInstall[]
  log: RefLog
  /** Hashes of the idempotency keys of its requests: the commits are kept only where no other commit of the last 24 hours has one of them. */
  keys?: readonly string[]
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
