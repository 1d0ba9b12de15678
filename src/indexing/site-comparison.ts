// Compares the index with the heads of many sites: one small read of a ref for each, and no repository is opened.

import type { Repositories } from '../store/protocol/repository.js'
import type { SiteRef } from '../store/protocol/write.js'
import type { KnownPages } from './known-pages.js'

export class SiteComparison {
  readonly #repositories: Pick<Repositories, 'open'>
  readonly #known: Pick<KnownPages, 'indexedCommit'>
  readonly #sites: Iterator<SiteRef>
  /** The ids of the sites whose index is not at their head, or whose head cannot be read. */
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

  /** Compares one site. True when there is none left. */
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
      // Whoever reads the site reports why.
      return false
    }
  }
}
