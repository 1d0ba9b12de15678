// Keeps in memory which pages the index has for each site: opening the files of many sites for one page would take too long. A site is
// read again once its rows have moved. An id is kept as a number of 48 bits, so every match is looked up in the file.

import { LRUCache } from 'lru-cache'
import type { SiteIndexes } from '../index/site-index.js'
import type { IndexPosition } from '../index/tables/index-position.js'

/** Eight bytes for each page. */
const MAX_KEPT_PAGES = 4_000_000
/** Weight of a site without pages, in pages. */
const SITE_WEIGHT = 50
/** Above this number, newer pages are sorted in. */
const MAX_UNSORTED = 1_000

interface KnownSite {
  /** Undefined if nothing of the site is indexed. */
  position: IndexPosition | undefined
  /** Undefined until a page is asked for. */
  pages: Pages | undefined
  /** Whether the rows may have moved since. */
  isOld: boolean
}

export class KnownPages {
  readonly #indexes: Pick<SiteIndexes, 'of'>
  /** By site id. */
  readonly #sites = new LRUCache<string, KnownSite>({
    maxSize: MAX_KEPT_PAGES,
    sizeCalculation: ({ pages }) => SITE_WEIGHT + (pages?.size ?? 0),
  })

  constructor(indexes: Pick<SiteIndexes, 'of'>) {
    this.#indexes = indexes
  }

  /** Notes that the rows of the site may have moved. */
  expire(siteId: string): void {
    const known = this.#sites.get(siteId)
    if (known !== undefined) known.isOld = true
  }

  /** Returns the commit that the rows describe. */
  indexedCommit(siteId: string): string | undefined {
    return this.#current(siteId).position?.commit
  }

  /** Whether the site may have a page with this id; false if no page has it or had it. */
  mayHave(siteId: string, pageId: string): boolean {
    const known = this.#current(siteId)
    if (known.pages !== undefined) return known.pages.has(pageId)
    const pages = new Pages(this.#indexes.of(siteId).pages.idsSince(0))
    this.#sites.set(siteId, { ...known, pages })
    return pages.has(pageId)
  }

  #current(siteId: string): KnownSite {
    const known = this.#sites.get(siteId)
    // A site that is not indexed may become so any time.
    if (known?.isOld === false && known.position !== undefined) return known
    const index = this.#indexes.of(siteId)
    const current = index.atOneMoment(() => {
      const { position } = index
      const before = known?.position
      const isLater = before !== undefined && index.commits.positionOf(before.commit) === before.ordinal
      const pages = isLater ? known?.pages : undefined
      pages?.add(index.pages.idsSince(before?.ordinal ?? 0))
      return { position, pages, isOld: false }
    })
    this.#sites.set(siteId, current)
    return current
  }
}

class Pages {
  #sorted = new Float64Array()
  readonly #unsorted = new Set<number>()

  constructor(ids: readonly string[]) {
    this.add(ids)
  }

  get size(): number {
    return this.#sorted.length + this.#unsorted.size
  }

  add(ids: readonly string[]): void {
    for (const id of ids) this.#unsorted.add(numberOf(id))
    if (this.#unsorted.size <= MAX_UNSORTED) return
    this.#sorted = Float64Array.from([...this.#sorted, ...this.#unsorted]).toSorted()
    this.#unsorted.clear()
  }

  has(id: string): boolean {
    const number = numberOf(id)
    if (this.#unsorted.has(number)) return true
    let [from, to] = [0, this.#sorted.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#sorted[middle] ?? 0) < number) from = middle + 1
      else to = middle
    }
    return this.#sorted[from] === number
  }
}

/** Returns the last twelve digits of a UUID as a number. */
function numberOf(id: string): number {
  return Number.parseInt(id.slice(-12), 16)
}
