// One site's index on its way to the site's head: along the history, commit by commit, in steps short enough that others
// take turns. Pages alone can go ahead in one leap.

import { IndexMoved } from '../catalog/index/apply.js'
import { IndexLost, type SiteIndex } from '../catalog/index/site-index.js'
import { ServiceError } from '../model/errors.js'
import type { CommitFacts } from '../model/facts.js'
import { HistoryRewritten } from '../store/commit-facts.js'
import { HistoryReader } from '../store/history-reader.js'
import type { OnFailure } from '../store/snapshot.js'
import type { SiteRef } from '../store/write.js'

/** One transaction takes at most this many commits, and this long: others write to the same file. */
const CHUNK_COMMITS = 100
const CHUNK_MS = 20
/** How often an index that is lost, or moved by another process, is taken up again. */
const MOST_RESTARTS = 5

export class SiteWalk {
  readonly #site: SiteRef
  readonly #index: SiteIndex
  readonly #history: HistoryReader
  #steps: Generator<undefined, void> | undefined
  #restarts = 0
  /** Commits that main reached once, and no longer does. */
  readonly lost: string[] = []

  /** `onFailure` is told what could not be read. */
  constructor(dataDir: string, index: SiteIndex, site: SiteRef, onFailure: OnFailure) {
    this.#site = site
    this.#index = index
    this.#history = new HistoryReader(dataDir, site, onFailure)
  }

  /** Goes a step. True when the index is at the head, as it is now. Throws `site_unreadable`, and what keeps the index from being written. */
  advance(): boolean {
    try {
      this.#steps ??= this.#walk()
      if (this.#steps.next().done !== true) return false
      this.#steps = undefined
      if (this.#index.indexedCommit(this.#site.id) !== this.#head()) return false
      this.#index.dropTip(this.#site.id)
      return true
    } catch (error) {
      this.#startAgain(error)
      return false
    }
  }

  /** Brings the pages to the head, as it is now, whatever the walk still has before it. */
  leap(): void {
    const { id } = this.#site
    try {
      const head = this.#head()
      const from = this.#index.tipCommit(id) ?? this.#index.indexedCommit(id) ?? null
      if (from !== head) this.#index.leap(id, this.#history.leap(from, head), this.#history)
    } catch (error) {
      this.#startAgain(error)
    }
  }

  close(): void {
    this.#history.close()
  }

  *#walk(): Generator<undefined, void> {
    const { id } = this.#site
    const oids: string[] = []
    let end = performance.now() + CHUNK_MS
    for (const oid of this.#history.commitsSince(this.#index.indexedCommit(id), this.#head())) {
      oids.push(oid)
      if (performance.now() < end) continue
      yield
      end = performance.now() + CHUNK_MS
    }
    while (oids.length > 0) {
      this.#index.apply(id, this.#takeChunk(oids), this.#history)
      yield
    }
  }

  /** Takes the oldest, which come last. */
  #takeChunk(oids: string[]): CommitFacts[] {
    const chunk: CommitFacts[] = []
    const end = performance.now() + CHUNK_MS
    while (chunk.length < CHUNK_COMMITS && performance.now() < end) {
      const oid = oids.pop()
      if (oid === undefined) break
      chunk.push(this.#history.facts(oid))
    }
    return chunk
  }

  #head(): string {
    const head = this.#history.head()
    if (head !== undefined) return head
    throw new ServiceError('site_unreadable', "This site's repository has no main branch.")
  }

  #startAgain(error: unknown): void {
    this.#steps = undefined
    if (error instanceof HistoryRewritten) this.#forgetRewritten()
    else if (!(error instanceof IndexLost || error instanceof IndexMoved)) throw error
    this.#restarts += 1
    if (this.#restarts === MOST_RESTARTS) throw error
  }

  /** Someone moved main past the hook: the site is indexed anew. */
  #forgetRewritten(): void {
    const lost = this.#index.indexedCommit(this.#site.id)
    if (lost !== undefined) this.lost.push(lost)
    this.#index.reset(this.#site.id)
  }
}
