// Compares the index with the heads of many sites: one small read of a ref for each, without opening a repository.

import type { Repositories } from '../repository/protocol/repository.js'
import type { SiteRef } from '../repository/protocol/write.js'
import type { KnownPages } from './known-pages.js'

export class SiteComparison {
  readonly #repositories: Pick<Repositories, 'open'>
  readonly #known: Pick<KnownPages, 'indexedCommit'>
  readonly #sites: Iterator<SiteRef>
  /** Ids of the sites whose index is not at their head, or whose head cannot be read. */
  readonly answer: string[] = []

  constructor(
    repositories: Pick<Repositories, 'open'>,
    known: Pick<KnownPages, 'indexedCommit'>,
    sites: readonly SiteRef[],
  ) {
    this.#repositories = repositories
    this.#known = known
    this.#sites = sites.values()
  }

  /** Compares one site. True if none is left. */
  advance(): boolean {
    const next = this.#sites.next()
    if (next.done === true) return true
    if (!this.#isAtHead(next.value)) this.answer.push(next.value.id)
    return false
  }

  close(): void {
    // No file is open between two steps.
  }

  #isAtHead(site: SiteRef): boolean {
    try {
      const indexed = this.#known.indexedCommit(site.id)
      return indexed !== undefined && indexed === this.#repositories.open(site).head()
    } catch {
      // The next reader of the site reports why.
      return false
    }
  }
}
