// How far the index has followed one site's repository, and the catch-up that runs for it.

import type { SiteIndex } from '../catalog/index/site-index.js'
import { ServiceError } from '../model/errors.js'
import {
  type CommitFacts,
  countChanges,
  MAX_CHANGES_PER_TRANSACTION,
  MAX_TOLD_RECORD_BYTES,
} from '../model/commits/facts.js'
import type { SiteRef } from '../store/protocol/write.js'
import type { Store } from '../store/store.js'
import type { Indexer } from './indexer.js'
import type { TextIndexer } from './text/text-indexer.js'

export interface FollowerParts {
  index: SiteIndex
  indexer: Pick<Indexer, 'bringToHead' | 'findBehind' | 'forget'>
  texts: Pick<TextIndexer, 'note' | 'follow' | 'expire' | 'forget'>
  dataDir: string
  store: Pick<Store, 'head' | 'snapshot' | 'keepLost' | 'refuseDeleted' | 'isBehind'>
}

/** A write with more documents whose title must be read is indexed by the indexer thread. */
const MAX_READ_TITLES = 8
/** How long a write waits while another thread writes to the index. Where it gives up, the indexer has to read the commit, behind all that it has to do. */
export const MAX_OWN_WRITE_WAIT_MS = 1_000
/**
 * How long a reader waits for a write that may have made the commit that it met: a batch of many takes some 50 ms from there to its
 * answers, and may wait for the index then.
 */
const MAX_ANSWER_MS = 250 + MAX_OWN_WRITE_WAIT_MS

export class FollowedSite {
  readonly #parts: FollowerParts
  readonly #site: SiteRef
  /** The catch-up that runs: at most one for each site. */
  #catchUp: Promise<void> | undefined
  /** The indexed commit when it was last compared or moved here. */
  #commit: string | undefined
  /** Writes of this process that are not answered yet. */
  #writes = 0
  /** Readers that wait for such a write, by the commit that they met. */
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor(parts: FollowerParts, site: SiteRef) {
    this.#parts = parts
    this.#site = site
  }

  /** The indexed commit as `catchUp` met it, or a write left it. */
  get commit(): string | undefined {
    return this.#commit
  }

  /** Resolves when the index holds the head as it is now, or a later one; undefined where it does. */
  catchUp(): Promise<void> | undefined {
    if (this.#catchUp !== undefined) return this.#catchUp
    const head = this.#parts.store.head(this.#site)
    if (this.#isAt(head)) return undefined
    return this.#writes > 0 ? this.#afterWrite(head) : this.#startCatchUp()
  }

  /** Runs a write of this process, which ends with `applyWrites`. */
  async duringWrite<T>(write: () => Promise<T>): Promise<T> {
    this.#writes += 1
    try {
      return await write()
    } finally {
      this.#writes -= 1
      if (this.#writes === 0) this.#lookAgain()
    }
  }

  /**
   * Indexes writes of this process from their facts, without reading git, and calls `taken` after each, with the index as that left
   * it. A write is left out where the index is not at its parent, or it changed very much: the next read catches up. Throws
   * IndexLost and IndexMoved.
   */
  applyWrites(writes: readonly CommitFacts[], taken: (facts: CommitFacts) => void): void {
    if (this.#catchUp !== undefined) return this.#lookAgain()
    const titles = new Map<string, string | null>()
    const read = {
      title: (blob: string) => this.#titleOf(blob, titles),
      knownTitle: (blob: string) => titles.get(blob),
    }
    this.#parts.index.apply(this.#site.id, this.#applicable(writes, titles), read, (facts) => {
      this.#commit = facts.oid
      taken(facts)
    })
    this.#parts.texts.note(this.#site)
  }

  /** Adds the titles of the writes that it yields to those that are known. */
  *#applicable(writes: readonly CommitFacts[], known: Map<string, string | null>): Generator<CommitFacts> {
    for (const facts of writes) {
      const { titles, unread } = titlesIn(facts)
      const isLarge =
        countChanges(facts) > MAX_CHANGES_PER_TRANSACTION || unread > MAX_READ_TITLES || hasLargeRecords(facts)
      if (isLarge || this.#commit !== facts.parent) {
        // Nobody waits for a write any more: the commits before this one are of others, or read by the indexer.
        this.#lookAgain()
        continue
      }
      for (const [blob, title] of titles) known.set(blob, title)
      yield facts
    }
  }

  /** Lets those who wait for the commit look again. */
  wasIndexed(commit: string): void {
    for (const goOn of this.#waiting.get(commit) ?? []) goOn()
    this.#waiting.delete(commit)
  }

  #lookAgain(): void {
    for (const commit of this.#waiting.keys()) this.wasIndexed(commit)
  }

  /** A head is seen as soon as it is moved, and the write that moved it is answered a moment later: that indexes it, without the indexer. */
  async #afterWrite(head: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const goOn = () => {
        clearTimeout(late)
        resolve()
      }
      const late = setTimeout(() => this.wasIndexed(head), MAX_ANSWER_MS)
      const others = this.#waiting.get(head)
      if (others === undefined) this.#waiting.set(head, new Set([goOn]))
      else others.add(goOn)
    })
    const { commits } = this.#parts.index
    if (commits.positionOf(this.#site.id, head) === undefined) await (this.#catchUp ?? this.#startCatchUp())
  }

  /** Throws where the repository is not the site's own, or cannot be read: nothing of it is indexed. */
  #startCatchUp(): Promise<void> {
    this.#parts.store.snapshot(this.#site)
    this.#catchUp = this.#bringToHead().finally(() => (this.#catchUp = undefined))
    return this.#catchUp
  }

  /** Ends only when the index is at the head, so that it serves callers who joined late too. */
  async #bringToHead(): Promise<void> {
    const { indexer, store, texts } = this.#parts
    do {
      const lost = await indexer.bringToHead(this.#site)
      if (lost.length > 0) texts.expire(this.#site.id)
      texts.note(this.#site)
      // Main was rewritten past the hook: its old tip is kept for the operator. Where it is pruned already, the site must
      // stay readable: fsck names what is lost.
      for (const commit of lost) await store.keepLost(this.#site, commit).catch(() => undefined)
    } while (!this.#isAt(store.snapshot(this.#site).commit))
  }

  #isAt(head: string): boolean {
    this.#commit = this.#parts.index.indexedCommit(this.#site.id)
    return this.#commit === head
  }

  /** A document's title; a blob that cannot be read has none. */
  #titleOf(blob: string, known: ReadonlyMap<string, string | null>): string | null {
    const title = known.get(blob)
    if (title !== undefined) return title
    try {
      return this.#parts.store.snapshot(this.#site).title(blob)
    } catch (error) {
      if (error instanceof ServiceError) return null
      throw error
    }
  }
}

/** Records whose files are larger, together, are indexed by the indexer thread; so are those whose data are left out. */
function hasLargeRecords({ records }: CommitFacts): boolean {
  return records.reduce((bytes, { size }) => bytes + size, 0) > MAX_TOLD_RECORD_BYTES
}

/** The titles that the writer read, by blob, and how many documents are left to read. */
function titlesIn({ pageFiles }: CommitFacts): { titles: Map<string, string | null>; unread: number } {
  const titles = new Map<string, string | null>()
  let unread = 0
  for (const { after } of pageFiles) {
    if (after?.title !== undefined) titles.set(after.oid, after.title)
    else if (after !== null) unread += 1
  }
  return { titles, unread }
}
