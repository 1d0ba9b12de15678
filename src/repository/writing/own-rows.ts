// Stores the rows of a writer thread's commits in the index of their site, after main has moved and before the writes are answered.
// The indexer reads from git what this leaves out.

import type { SiteIndex } from '../../index/site-index.js'
import type { BlobReader } from '../../index/pages/page-head.js'
import type { PageRow } from '../../index/tables/rows.js'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { type CommitFacts, type DocumentHead, MAX_CHANGES_AT_ONCE, NO_HEAD } from '../../model/commits/facts.js'
import { makerIn } from '../../model/commits/maker.js'
import { readPortions } from '../format/commit-facts.js'
import { MAX_DOCUMENT_BYTES, readHead } from '../format/document-head.js'
import type { WriteResult } from './build-batch.js'

/** The limit of documents in a commit that must be read for their heads; the indexer handles commits with more. */
const MAX_READ_HEADS = 8

export class OwnRows {
  readonly #index: SiteIndex
  readonly #objects: ObjectReader

  constructor(index: SiteIndex, objects: ObjectReader) {
    this.#index = index
    this.#objects = objects
  }

  /**
   * Returns the results, each with the facts of its commit and with its page after that commit. `base` is the commit below them, `made`
   * their new objects. The writes are durable by now, so an error here is not an error of a write.
   */
  store(base: Oid, results: readonly WriteResult[], made: ReadonlyMap<Oid, Buffer>): readonly WriteResult[] {
    const facts = new Map<Oid, CommitFacts | null>()
    const ids = new Map<Oid, string>()
    for (const result of results) {
      if (!('written' in result) || !result.written.changed) continue
      const { commit, id } = result.written
      facts.set(commit, this.#factsOf(commit))
      ids.set(commit, id)
    }
    const pages = this.#storeRows(base, facts, made, ids)
    return results.map((result) => {
      if (!('written' in result) || !result.written.changed) return result
      const { commit } = result.written
      return { written: { ...result.written, facts: withoutData(facts.get(commit) ?? null), page: pages.get(commit) } }
    })
  }

  /** Returns the page of each commit. */
  #storeRows(
    base: Oid,
    facts: ReadonlyMap<Oid, CommitFacts | null>,
    made: ReadonlyMap<Oid, Buffer>,
    ids: ReadonlyMap<Oid, string>,
  ): Map<Oid, PageRow | undefined> {
    try {
      if (facts.size === 0 || this.#index.indexedCommit !== base) return new Map()
      const found = new Map<Oid, PageRow | undefined>()
      this.#index.apply(untilLarge(facts.values(), made), this.#reader(made), (commit) => {
        const { pageFiles = [], sidecars = [] } = facts.get(commit) ?? {}
        if (pageFiles.length + sidecars.length > 0) found.set(commit, this.#index.pages.find(ids.get(commit) ?? ''))
      })
      return found
    } catch {
      // The next read makes the indexer follow, or reports the fault of the file.
      return new Map()
    }
  }

  #factsOf(commit: Oid): CommitFacts | null {
    try {
      const [facts, more] = readPortions(this.#objects, commit, MAX_CHANGES_AT_ONCE)
      if (facts === undefined || more !== undefined) return null
      // This thread has just signed it.
      return { ...facts, maker: makerIn(facts.trailers), verified: 'service' }
    } catch {
      return null
    }
  }

  #reader(made: ReadonlyMap<Oid, Buffer>): BlobReader {
    const knownHead = (blob: Oid) => {
      const html = made.get(blob)
      return html && readHead(html)
    }
    return { knownHead, readHead: (blob) => knownHead(blob) ?? this.#readHead(blob) }
  }

  /** Returns NO_HEAD also for a blob that cannot be read. */
  #readHead(blob: Oid): DocumentHead {
    try {
      const html = this.#objects.readBlobWithin(blob, MAX_DOCUMENT_BYTES)
      return html === undefined ? NO_HEAD : readHead(html)
    } catch {
      return NO_HEAD
    }
  }
}

function* untilLarge(all: Iterable<CommitFacts | null>, made: ReadonlyMap<Oid, Buffer>): Generator<CommitFacts> {
  for (const facts of all) {
    if (facts === null) return
    const unread = facts.pageFiles.filter(({ after }) => after !== null && !made.has(after.oid))
    if (unread.length > MAX_READ_HEADS) return
    yield facts
  }
}

/** Removes the data of records, which the caller already knows. */
function withoutData(facts: CommitFacts | null): CommitFacts | null {
  return facts && { ...facts, records: facts.records.map((record) => ({ ...record, data: null })) }
}
