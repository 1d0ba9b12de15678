// Brings one site's index to the site's head, commit by commit along the history, in steps short enough that other sites
// take turns.

import type { SiteIndex } from '../index/site-index.js'
import { IndexLost, IndexMoved } from '../index/tables/index-position.js'
import type { Signer } from '../git/objects/commit-signature.js'
import { ServiceError } from '../model/errors.js'
import { type CommitFacts, countChanges, MAX_CHANGES_AT_ONCE } from '../model/commits/facts.js'
import { HistoryRewritten } from '../repository/format/commit-facts.js'
import { HistoryReader } from '../repository/reading/history-reader.js'
import type { OnFailure } from '../repository/reading/snapshot.js'
import type { Repository } from '../repository/protocol/repository.js'

/** One transaction takes up to this many small commits, or those that are read in this time. */
const MAX_CHUNK_COMMITS = 100
const MAX_CHUNK_MS = 5
/** Time without progress for which the walk restarts after the index was lost, or moved by another thread or process. */
const MAX_IDLE_MS = 60_000

type Steps = Generator<undefined, void>

export class SiteWalk {
  readonly #index: SiteIndex
  readonly #history: HistoryReader
  #steps: Steps | undefined
  #progressAt = performance.now()
  /** Commits that main reached once and no longer reaches. */
  readonly answer: string[] = []

  /** `signers` are the service's own public keys; `onFailure` is called for content that could not be read. */
  constructor(
    repository: Repository,
    index: SiteIndex,
    signers: readonly Signer[],
    onFailure: OnFailure = () => undefined,
  ) {
    this.#index = index
    this.#history = new HistoryReader(repository, signers, onFailure)
  }

  /** Forgets the site's rows in the index. */
  startAnew(): void {
    this.#index.forget()
  }

  /**
   * Takes one step. True when the index is at the site's present head. Throws `site_unreadable`, `storage_failed`, and `site_busy`
   * after a minute without progress.
   */
  advance(): boolean {
    try {
      this.#steps ??= this.#walk()
      if (this.#steps.next().done !== true) return false
      this.#steps = undefined
      return this.#index.indexedCommit === this.#head()
    } catch (error) {
      this.#prepareRestart(error)
      return false
    }
  }

  /** Ends the walk. A large commit with an open transaction is dropped. */
  close(): void {
    this.#steps?.return()
    this.#history.close()
  }

  *#walk(): Steps {
    this.#history.refuseOtherSite(this.#index.siteId, this.#head())
    const oids = yield* this.#listCommits(this.#index.indexedCommit)
    while (oids.length > 0) yield* this.#take(oids)
  }

  /** Lists the commits to take, newest first. */
  *#listCommits(from: string | undefined): Generator<undefined, string[]> {
    const oids: string[] = []
    let end = performance.now() + MAX_CHUNK_MS
    for (const oid of this.#history.commitsSince(from, this.#head())) {
      oids.push(oid)
      if (performance.now() < end) continue
      yield
      end = performance.now() + MAX_CHUNK_MS
    }
    return oids
  }

  /** Takes the oldest commits, which come last: several small ones in one transaction, or one large one in its own. */
  *#take(oids: string[]): Steps {
    const chunk: CommitFacts[] = []
    const end = performance.now() + MAX_CHUNK_MS
    let changes = 0
    let large: Iterable<CommitFacts> | undefined
    while (chunk.length < MAX_CHUNK_COMMITS && changes < MAX_CHANGES_AT_ONCE && performance.now() < end) {
      const oid = oids.pop()
      if (oid === undefined) break
      const portions = this.#history.portions(oid)
      const [first, second] = [portions.next(), portions.next()]
      if (first.done === true) break
      if (second.done !== true) {
        this.#history.refuseEndless(oid)
        large = joined(first.value, second.value, portions)
        break
      }
      chunk.push(first.value)
      changes += countChanges(first.value)
    }
    if (chunk.length > 0) {
      this.#index.apply(chunk, this.#history)
      this.#progressAt = performance.now()
      yield
    }
    if (large === undefined) return
    yield* this.#index.take(large, this.#history)
    this.#progressAt = performance.now()
  }

  #head(): string {
    const head = this.#history.head()
    if (head !== undefined) return head
    throw new ServiceError('site_unreadable', "This site's repository has no main branch.")
  }

  /** Prepares the next try. Throws the error if a restart cannot help. */
  #prepareRestart(error: unknown): void {
    this.#steps = undefined
    if (error instanceof HistoryRewritten) this.#forgetRewritten()
    else if (!(error instanceof IndexLost || error instanceof IndexMoved)) throw error
    if (performance.now() - this.#progressAt < MAX_IDLE_MS) return
    const refusal = new ServiceError(
      'site_busy',
      'Another process keeps the index from being written. Try again later.',
    )
    throw Object.assign(refusal, { cause: error })
  }

  /** Forgets all rows after main was moved past the hook: the site is indexed from the start. */
  #forgetRewritten(): void {
    const lost = this.#index.indexedCommit
    if (lost !== undefined) this.answer.push(lost)
    this.startAnew()
  }
}

function* joined<T>(first: T, second: T, rest: Iterable<T>): Generator<T, void> {
  yield first
  yield second
  yield* rest
}
