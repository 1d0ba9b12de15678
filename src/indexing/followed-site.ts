// How far the index has followed one site's repository, and the catch-up that runs for it.

import type { SiteIndex } from '../catalog/index/site-index.js'
import { ServiceError } from '../model/errors.js'
import { type CommitFacts, countChanges, MAX_CHANGES_PER_TRANSACTION } from '../model/commits/facts.js'
import type { SiteRef } from '../store/protocol/write.js'
import type { Store } from '../store/store.js'
import type { Indexer } from './indexer.js'
import type { TextIndexer } from './text/text-indexer.js'

export interface FollowerParts {
  index: SiteIndex
  indexer: Indexer
  texts: TextIndexer
  dataDir: string
  store: Pick<Store, 'snapshot' | 'headNow' | 'keepLost' | 'refuseDeleted'>
}

/** How long a site that was found current is expected to change only by this process's own writes. */
const TRUST_MS = 200
/** Records of a write whose data are longer, together, are indexed by the indexer thread. */
const MAX_RECORD_CHARACTERS = 64 * 1024
/** A write with more documents whose title must be read is indexed by the indexer thread. */
const MAX_READ_TITLES = 8

/** Times are monotonic milliseconds. */
export class FollowedSite {
  readonly #parts: FollowerParts
  readonly #site: SiteRef
  /** The catch-up that runs: at most one for each site. */
  #catchUp: Promise<void> | undefined
  /** The indexed commit when the index last held every write answered until then. */
  #commit: string | undefined
  /** When the index was last compared with the repository. */
  #checkedAt = -Infinity

  constructor(parts: FollowerParts, site: SiteRef) {
    this.#parts = parts
    this.#site = site
  }

  /** The catch-up that runs or is necessary; undefined where the index is current. */
  catchUp(): Promise<void> | undefined {
    if (this.#catchUp !== undefined) return this.#catchUp
    if (this.#isTrusted() || this.#isCurrent()) return undefined
    this.#catchUp = this.#bringToHead().finally(() => (this.#catchUp = undefined))
    return this.#catchUp
  }

  /**
   * Indexes a write of this process from its facts, without reading git. False where the index is not at the write's
   * parent or the write changed very much: the next read catches up. Throws IndexLost and IndexMoved.
   */
  applyWrite(facts: CommitFacts): boolean {
    const { titles, unread } = titlesIn(facts)
    const isLarge =
      countChanges(facts) > MAX_CHANGES_PER_TRANSACTION || unread > MAX_READ_TITLES || hasLargeRecords(facts)
    if (isLarge || this.#catchUp !== undefined || this.#commit !== facts.parent) {
      this.markStale()
      return false
    }
    this.#parts.index.apply(this.#site.id, [facts], { title: (blob) => this.#titleOf(blob, titles) })
    this.#commit = facts.oid
    this.#parts.texts.note(this.#site)
    return true
  }

  /** The next read compares the index with the repository before it answers. */
  markStale(): void {
    this.#checkedAt = -Infinity
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
    } while (!this.#isCurrent())
  }

  #isTrusted(): boolean {
    const isRecent = performance.now() - this.#checkedAt < TRUST_MS
    if (!isRecent || this.#commit === undefined || this.#indexedCommit() !== this.#commit) return false
    // The API shows at least what a visitor has seen, of whichever process.
    return this.#headNow() === this.#commit
  }

  /** A ref that cannot be read is for the snapshot to tell of. */
  #headNow(): string | undefined {
    try {
      return this.#parts.store.headNow(this.#site)
    } catch {
      return undefined
    }
  }

  #isCurrent(): boolean {
    const { commit } = this.#parts.store.snapshot(this.#site)
    if (this.#indexedCommit() !== commit) return false
    this.#commit = commit
    this.#checkedAt = performance.now()
    return true
  }

  #indexedCommit(): string | undefined {
    return this.#parts.index.indexedCommit(this.#site.id)
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

function hasLargeRecords({ records }: CommitFacts): boolean {
  return records.some(({ data }) => data !== null) && JSON.stringify(records).length > MAX_RECORD_CHARACTERS
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
