// Follows one site's repository with the index, and runs its catch-up.

import type { SiteIndex, SiteIndexes } from '../index/site-index.js'
import { keepLost } from '../repository/disk/keep-lost.js'
import type { SiteRef } from '../repository/protocol/write.js'
import type { Store } from '../repository/store.js'
import type { Indexer } from './indexer.js'
import type { TextIndexer } from './text/text-indexer.js'

export interface FollowerParts {
  indexes: SiteIndexes
  indexer: Pick<Indexer, 'bringToHead' | 'fork' | 'seed' | 'findBehind' | 'findPage' | 'forget' | 'expire'>
  texts: Pick<TextIndexer, 'note' | 'follow' | 'expire' | 'forget'>
  dataDir: string
  store: Pick<Store, 'reader' | 'repositories' | 'live'>
  /** Longest time that a read waits, in milliseconds; 10 s by default. */
  maxWaitMs?: number | undefined
}

export class FollowedSite {
  readonly #parts: FollowerParts
  readonly #site: SiteRef
  /** The running catch-up: at most one for each site. */
  #catchUp: Promise<void> | undefined
  /** Number of writes of this process that are not answered yet. */
  #writes = 0
  /** Readers that wait until one of these writes is answered. */
  #waiting: (() => void)[] = []

  constructor(parts: FollowerParts, site: SiteRef) {
    this.#parts = parts
    this.#site = site
  }

  /** Resolves when the index holds the present head or a later one. Returns undefined if it already holds the head. */
  catchUp(): Promise<void> | undefined {
    if (this.#catchUp !== undefined) return this.#catchUp
    const head = this.#parts.store.reader.head(this.#site)
    if (this.#isAt(head)) return undefined
    return this.#writes > 0 ? this.#afterWrite(head) : this.#startCatchUp()
  }

  /** Whether it catches up now, and the readers that wait for a write. */
  get figures(): { running: number; waiting: number } {
    return { running: this.#catchUp === undefined ? 0 : 1, waiting: this.#waiting.length }
  }

  /** Runs a write of this process. Its writer thread stores the rows before it answers. */
  async duringWrite<T>(write: () => Promise<T>): Promise<T> {
    this.#writes += 1
    try {
      return await write()
    } finally {
      this.#writes -= 1
      // Also after a failure: the outcome may be unknown.
      if (this.#site.request === undefined) this.#parts.indexer.expire(this.#site.id)
      for (const goOn of this.#waiting.splice(0)) goOn()
    }
  }

  /** Waits for a write of this process. Its head is visible at once; its writer stores the rows a moment later, without the indexer. */
  async #afterWrite(head: string): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    const { commits } = this.#index
    if (commits.positionOf(head) === undefined) await (this.#catchUp ?? this.#startCatchUp())
  }

  /** Starts a catch-up. Rejects if the repository is not the site's own or cannot be read: nothing of it is indexed. */
  #startCatchUp(): Promise<void> {
    this.#catchUp = this.#bringToHead().finally(() => (this.#catchUp = undefined))
    return this.#catchUp
  }

  /** Ends only when the index is at the head, so that it also serves callers who joined late. */
  async #bringToHead(): Promise<void> {
    const { indexer, store, texts } = this.#parts
    const since = this.#index.indexedCommit
    let head: string
    do {
      const lost = await indexer.bringToHead(this.#site)
      // The rows of a change request may have been those of another commit of main: then nothing is lost.
      if (this.#site.request === undefined) {
        if (lost.length > 0) texts.expire(this.#site.id)
        for (const commit of lost) this.#keep(commit)
      }
      head = store.reader.head(this.#site)
    } while (!this.#isAt(head))
    // Nobody else may know of it: a push by path is noticed here.
    if (this.#site.request === undefined)
      store.live.tell({ site: this.#site, commit: head, ...(since !== undefined && { since }) })
  }

  /** Keeps the old tip of a main that was rewritten past the hook, for the operator. */
  #keep(commit: string): void {
    const { store } = this.#parts
    try {
      // The repository is not moved aside before the site counts as deleted.
      store.reader.refused.refuseDeleted(this.#site)
      if (store.reader.objects(this.#site).has(commit)) keepLost(store.repositories.gitdir(this.#site), commit)
    } catch {
      // The site must stay readable: fsck reports the loss.
    }
  }

  get #index(): SiteIndex {
    return this.#parts.indexes.of(this.#site.id, this.#site.request)
  }

  #isAt(head: string): boolean {
    return this.#index.indexedCommit === head
  }
}
