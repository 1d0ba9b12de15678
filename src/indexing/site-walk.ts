// One site's index on its way to the site's head: along the history, commit by commit, in steps short enough that others
// take turns. Pages alone can go ahead in one leap.

import { IndexLost, type SiteIndex } from '../catalog/index/site-index.js'
import { IndexMoved } from '../catalog/index/tables/standing.js'
import { ServiceError } from '../model/errors.js'
import { type CommitFacts, countChanges, MOST_CHANGES_AT_ONCE } from '../model/facts.js'
import { HistoryRewritten } from '../store/format/commit-facts.js'
import { HistoryReader } from '../store/reading/history-reader.js'
import type { OnFailure } from '../store/reading/snapshot.js'
import type { SiteRef } from '../store/protocol/write.js'

/** One transaction takes at most this many commits, and this long: others write to the same file. */
const CHUNK_COMMITS = 100
const CHUNK_MS = 20
/** How often an index that is lost, or moved by another process, is taken up again without having got on in between. */
const MOST_RESTARTS = 5

type Steps = Generator<undefined, void>

export class SiteWalk {
  readonly #site: SiteRef
  readonly #index: SiteIndex
  readonly #history: HistoryReader
  #steps: Steps | undefined
  #leaping: Steps | undefined
  #tidying: Steps | undefined
  #restarts = 0
  /** Commits that main reached once, and no longer does. */
  readonly lost: string[] = []

  /** `onFailure` is told what could not be read. */
  constructor(dataDir: string, index: SiteIndex, site: SiteRef, onFailure: OnFailure = () => undefined) {
    this.#site = site
    this.#index = index
    this.#history = new HistoryReader(dataDir, site, onFailure)
  }

  /** Forgets what is indexed of the site, in the next steps. */
  startAnew(): void {
    this.#steps = this.#spaced(this.#index.forget(this.#site.id))
  }

  /** Goes a step. True when the index is at the head, as it is now. Throws `site_unreadable`, and what keeps the index from being written. */
  advance(): boolean {
    return this.#orStartAgain(() => {
      this.#steps ??= this.#walk()
      if (this.#steps.next().done !== true) return false
      this.#steps = undefined
      if (this.#index.indexedCommit(this.#site.id) !== this.#head()) return false
      this.#dropTip()
      return true
    })
  }

  /** Whether there is anything to leap from. In the middle of a large commit the walk itself is as quick. */
  get canLeap(): boolean {
    const { id } = this.#site
    return this.#index.standing(id)?.next === undefined || this.#index.tipCommit(id) !== undefined
  }

  /** Whether a leap has begun that `leap` has not ended: to walk on meanwhile would make it begin anew. */
  get isLeaping(): boolean {
    return this.#leaping !== undefined
  }

  /** Goes a step towards the head with the pages alone. True when they are where the head was at the first step. */
  leap(): boolean {
    return this.#orStartAgain(() => {
      this.#leaping ??= this.#leap()
      if (this.#leaping.next().done !== true) return false
      this.#leaping = undefined
      return true
    })
  }

  /** After the arrival, goes a step in removing what has served. True when nothing is left. */
  tidy(): boolean {
    return this.#tidying === undefined || this.#tidying.next().done === true
  }

  close(): void {
    this.#history.close()
  }

  *#walk(): Steps {
    const { id } = this.#site
    if (this.#index.standing(id) === undefined) yield* this.#spaced(this.#index.clear(id))
    const standing = this.#index.standing(id)
    const oids = yield* this.#listCommits(standing?.commit ?? undefined)
    if (standing?.next !== undefined) {
      const next = oids.pop()
      if (next !== standing.next.commit)
        throw new HistoryRewritten(`${standing.next.commit} is no longer in the history.`)
      yield* this.#takeLarge(this.#history.portions(next))
    }
    while (oids.length > 0) yield* this.#take(oids)
  }

  /** Newest first. */
  *#listCommits(from: string | undefined): Generator<undefined, string[]> {
    const oids: string[] = []
    let end = performance.now() + CHUNK_MS
    for (const oid of this.#history.commitsSince(from, this.#head())) {
      oids.push(oid)
      if (performance.now() < end) continue
      yield
      end = performance.now() + CHUNK_MS
    }
    return oids
  }

  /** Takes the oldest, which come last: some in one transaction, up to a large one, which is taken in many. */
  *#take(oids: string[]): Steps {
    const chunk: CommitFacts[] = []
    const end = performance.now() + CHUNK_MS
    let changes = 0
    let large: Iterable<CommitFacts> = []
    while (chunk.length < CHUNK_COMMITS && changes < MOST_CHANGES_AT_ONCE && performance.now() < end) {
      const oid = oids.pop()
      if (oid === undefined) break
      const portions = this.#history.portions(oid)
      const [first, second] = [portions.next(), portions.next()]
      if (first.done === true) break
      if (second.done !== true) {
        large = joined(first.value, second.value, portions)
        break
      }
      chunk.push(first.value)
      changes += countChanges(first.value)
    }
    yield* this.#takeChunk(chunk)
    yield* this.#takeLarge(large)
  }

  *#takeChunk(chunk: readonly CommitFacts[]): Steps {
    if (chunk.length === 0) return
    this.#index.apply(this.#site.id, chunk, this.#history)
    this.#restarts = 0
    yield
  }

  *#takeLarge(portions: Iterable<CommitFacts>): Steps {
    yield* this.#spaced(this.#index.takeInPortions(this.#site.id, portions, this.#history))
    this.#restarts = 0
  }

  *#leap(): Steps {
    const { id } = this.#site
    const head = this.#head()
    const from = this.#index.tipCommit(id) ?? this.#index.indexedCommit(id) ?? null
    if (from !== head) yield* this.#spaced(this.#index.leap(id, this.#history.leap(from, head), this.#history))
  }

  /** It answers no more when this returns; its rows go in `tidy`. */
  #dropTip(): void {
    if (!this.#index.hasTip(this.#site.id)) return
    this.#tidying = this.#spaced(this.#index.dropTip(this.#site.id))
    this.#tidying.next()
  }

  #head(): string {
    const head = this.#history.head()
    if (head !== undefined) return head
    throw new ServiceError('site_unreadable', "This site's repository has no main branch.")
  }

  /** A transaction each step: those who wait for the file have their turn before the next. */
  *#spaced(steps: Steps): Steps {
    while (steps.next().done !== true) {
      yield
      this.#index.giveWay()
    }
  }

  #orStartAgain(step: () => boolean): boolean {
    try {
      return step()
    } catch (error) {
      this.#steps = undefined
      this.#leaping = undefined
      if (error instanceof HistoryRewritten) this.#forgetRewritten()
      else if (!(error instanceof IndexLost || error instanceof IndexMoved)) throw error
      this.#restarts += 1
      if (this.#restarts === MOST_RESTARTS) throw error
      return false
    }
  }

  /** Someone moved main past the hook: the site is indexed anew. */
  #forgetRewritten(): void {
    const standing = this.#index.standing(this.#site.id)
    const lost = standing?.next?.commit ?? standing?.commit
    if (typeof lost === 'string') this.lost.push(lost)
    this.startAnew()
  }
}

function* joined<T>(first: T, second: T, rest: Iterable<T>): Generator<T, void> {
  yield first
  yield second
  yield* rest
}
