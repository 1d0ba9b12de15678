// Finds which of many sites may have a page, as far as the index knows.

import type { KnownPages } from './known-pages.js'

export class PageSearch {
  readonly #known: Pick<KnownPages, 'mayHave'>
  readonly #siteIds: Iterator<string>
  readonly #pageId: string
  /** The ids of the sites. */
  readonly answer: string[] = []

  constructor(known: Pick<KnownPages, 'mayHave'>, siteIds: readonly string[], pageId: string) {
    this.#known = known
    this.#siteIds = siteIds.values()
    this.#pageId = pageId
  }

  /** Looks at one site. True when there is none left. */
  advance(): boolean {
    const next = this.#siteIds.next()
    if (next.done === true) return true
    if (this.#mayHave(next.value)) this.answer.push(next.value)
    return false
  }

  close(): void {
    // No file is open between two steps.
  }

  /** A site whose index cannot be read may have any page: whoever reads the site reports why. */
  #mayHave(siteId: string): boolean {
    try {
      return this.#known.mayHave(siteId, this.#pageId)
    } catch {
      return true
    }
  }
}
