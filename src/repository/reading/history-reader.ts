// Reads a site's history step by step, for the indexer thread.

import { LRUCache } from 'lru-cache'
import { hasMoreEntries } from './count-entries.js'
import { ObjectCorrupt, ObjectMissing, RepositoryInvalid } from '../../git/objects/errors.js'
import type { Signer } from '../../git/objects/commit-signature.js'
import { firstParents } from '../../git/repository/history.js'
import type { Oid } from '../../git/objects/oid.js'
import { type CommitFacts, type DocumentHead, MAX_CHANGES_AT_ONCE, NO_HEAD } from '../../model/commits/facts.js'
import { HistoryRewritten, readPortions } from '../format/commit-facts.js'
import { MAX_DOCUMENT_BYTES, readHead } from '../format/document-head.js'
import { assertOwn } from './own-repository.js'
import { type OnFailure, readable, readableEach } from './snapshot.js'
import type { Repository } from '../protocol/repository.js'

const KEPT_HEADS = 1_000
/** Twice the limit for a push (pre-receive.sh). */
const MAX_ENTRIES = 1_000_000

export class HistoryReader {
  readonly #repository: Repository
  readonly #onFailure: OnFailure
  readonly #signers: readonly Signer[]
  #head: Oid | undefined
  /** Heads of documents. An unmarked sidecar title is compared with the document's, which the page then takes. */
  readonly #heads = new LRUCache<Oid, DocumentHead>({ max: KEPT_HEADS })

  /** `signers` are the service's own public keys. */
  constructor(repository: Repository, signers: readonly Signer[], onFailure: OnFailure = () => undefined) {
    this.#repository = repository
    this.#signers = signers
    this.#onFailure = (error) => {
      // The patrol reports a head that cannot be read, and clears that report when main moves.
      const isHead = (error instanceof ObjectMissing || error instanceof ObjectCorrupt) && error.oid === this.#head
      if (!isHead) onFailure(error)
    }
  }

  /** Returns the commit at main now; undefined without that branch. */
  head(): Oid | undefined {
    this.#head = readable(() => this.#repository.head(), this.#onFailure)
    return this.#head
  }

  /** Throws `site_unreadable` if the commit says that the repository is another site's. */
  refuseOtherSite(siteId: string, commit: Oid): void {
    const { objects } = this.#repository
    assertOwn(
      siteId,
      objects,
      readable(() => objects.readCommit(commit), this.#onFailure),
      this.#onFailure,
    )
  }

  /** Lists the commits after `from`, up to `head`, newest first; all if undefined. Throws HistoryRewritten if `from` is not among them. */
  *commitsSince(from: Oid | undefined, head: Oid): Generator<Oid> {
    for (const { oid } of readableEach(firstParents(this.#repository.objects, head), this.#onFailure)) {
      if (oid === from) return
      yield oid
    }
    if (from !== undefined) throw new HistoryRewritten(`${from} is not in the history of ${head}.`)
  }

  /** Reads the facts of a commit in portions: at least one. */
  *portions(oid: Oid): Generator<CommitFacts, void> {
    const portions = readPortions(this.#repository.objects, oid, MAX_CHANGES_AT_ONCE, this.#signers)
    yield* readableEach(portions, this.#onFailure)
  }

  /** Throws `site_unreadable`, before the changes are read, for a commit with more files than any push may leave. */
  refuseEndless(oid: Oid): void {
    const { objects } = this.#repository
    readable(() => {
      if (hasMoreEntries(objects, objects.readCommit(oid).tree, MAX_ENTRIES))
        throw new RepositoryInvalid(`the tree of commit ${oid} has more than ${MAX_ENTRIES} files and folders`)
    }, this.#onFailure)
  }

  /** Returns the head of a document; NO_HEAD if its blob cannot be read. */
  readHead(blob: Oid): DocumentHead {
    const known = this.#heads.get(blob)
    if (known !== undefined) return known
    const head = this.#parseHead(blob)
    this.#heads.set(blob, head)
    return head
  }

  #parseHead(blob: Oid): DocumentHead {
    try {
      const html = readable(() => this.#repository.objects.readBlobWithin(blob, MAX_DOCUMENT_BYTES), this.#onFailure)
      return html === undefined ? NO_HEAD : readHead(html)
    } catch {
      return NO_HEAD
    }
  }

  close(): void {
    this.#repository.close()
  }
}
