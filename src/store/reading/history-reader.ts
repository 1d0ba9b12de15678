// Reads a site's history step by step, for the indexer thread.

import { LRUCache } from 'lru-cache'
import { hasMoreEntries } from './count-entries.js'
import { ObjectCorrupt, ObjectMissing, RepositoryInvalid } from '../../git/objects/errors.js'
import type { Signer } from '../../git/objects/commit-signature.js'
import { firstParents } from '../../git/repository/history.js'
import type { Oid } from '../../git/objects/oid.js'
import { type CommitFacts, MAX_CHANGES_AT_ONCE } from '../../model/commits/facts.js'
import { HistoryRewritten, readPortions } from '../format/commit-facts.js'
import { MAX_TITLED_BYTES, readTitle } from '../format/html-title.js'
import { assertOwn } from './own-repository.js'
import { type OnFailure, readable, readableEach } from './snapshot.js'
import type { Repository } from '../protocol/repository.js'

const KEPT_TITLES = 1_000
/** Twice the limit for a push (pre-receive.sh). */
const MAX_ENTRIES = 1_000_000

export class HistoryReader {
  readonly #repository: Repository
  readonly #onFailure: OnFailure
  readonly #signers: readonly Signer[]
  #head: Oid | undefined
  /** Titles of documents. An unmarked sidecar title is compared with the document's, which the page then takes. */
  readonly #titles = new LRUCache<Oid, { title: string | null }>({ max: KEPT_TITLES })

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

  /** Returns the title of a document; null if it has none or its blob cannot be read. */
  title(blob: Oid): string | null {
    const known = this.#titles.get(blob)
    if (known !== undefined) return known.title
    const title = this.#readTitle(blob)
    this.#titles.set(blob, { title })
    return title
  }

  #readTitle(blob: Oid): string | null {
    try {
      const html = readable(() => this.#repository.objects.readBlobWithin(blob, MAX_TITLED_BYTES), this.#onFailure)
      return html === undefined ? null : readTitle(html)
    } catch {
      return null
    }
  }

  close(): void {
    this.#repository.close()
  }
}
