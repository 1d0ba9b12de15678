// Finds which of many sites may have a page, as far as the index knows.

import type { KnownPages } from './known-pages.js'

export class PageSearch {
  readonly #known: Pick<KnownPages, 'mayHave'>
  readonly #siteIds: Iterator<string>
  readonly #pageId: string
  /** Ids of the sites that may have it. */
  readonly answer: string[] = []

  constructor(known: Pick<KnownPages, 'mayHave'>, siteIds: readonly string[], pageId: string) {
    this.#known = known
    this.#siteIds = siteIds.values()
    this.#pageId = pageId
  }

  /** Looks at one site. True if none is left. */
  advance(): boolean {
    const next = this.#siteIds.next()
    if (next.done === true) return true
    if (this.#mayHave(next.value)) this.answer.push(next.value)
    return false
  }

  close(): void {
    // No file is open between two steps.
  }

  /** Whether the site may have the page. True if its index cannot be read: the next reader of the site reports why. */
  #mayHave(siteId: string): boolean {
    try {
      return this.#known.mayHave(siteId, this.#pageId)
    } catch {
      return true
    }
  }
}
