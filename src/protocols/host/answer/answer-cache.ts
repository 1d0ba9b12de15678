// Caches prepared answers by view and target. A target that was requested before needs no look at the tree.

import { LRUCache } from 'lru-cache'
import type { PreparedAnswer } from './representation.js'
import type { SiteView } from '../views/site-view.js'

/** Estimated memory of a prepared answer without its target: fields, tags, and the arrays of its representations. */
const ENTRY_BYTES = 2048
/** The answers' share of the configured bytes; the rest is for bodies. */
const CACHE_SHARE = 1 / 8
/** Lifetime of an answer that was prepared while the index did not know the page yet. */
const PROVISIONAL_MS = 1000

interface Kept {
  answer: PreparedAnswer
  /** The number of its view. */
  number: string
}

export class AnswerCache {
  readonly #kept: LRUCache<string, Kept>
  /** A number for each view. A new commit has a new view, so it never finds an older answer. */
  readonly #numbers = new WeakMap<SiteView, string>()
  #views = 0

  constructor(cacheBytes: number) {
    this.#kept = new LRUCache({
      maxSize: Math.max(1, Math.floor(cacheBytes * CACHE_SHARE)),
      sizeCalculation: (_kept, key) => ENTRY_BYTES + key.length,
    })
  }

  get(view: SiteView, target: string): PreparedAnswer | undefined {
    const kept = this.#kept.get(this.#keyOf(view, target))
    return kept?.number === this.#numberOf(view) ? kept.answer : undefined
  }

  /** Caches only files at their own URL. Queries and missing paths are unlimited in number and must not evict anything. */
  keep(view: SiteView, target: string, answer: PreparedAnswer): void {
    if (answer.content.status !== 200 || target.includes('?')) return
    const kept = { answer, number: this.#numberOf(view) }
    this.#kept.set(this.#keyOf(view, target), kept, { ttl: answer.isProvisional ? PROVISIONAL_MS : 0 })
  }

  drop(view: SiteView, target: string): void {
    this.#kept.delete(this.#keyOf(view, target))
  }

  /** On a site's own host an answer takes the place of the one at an earlier commit. A view elsewhere, such as of the past, has its own. */
  #keyOf(view: SiteView, target: string): string {
    return `${view.sitemap === undefined ? this.#numberOf(view) : view.site.id} ${target}`
  }

  #numberOf(view: SiteView): string {
    let number = this.#numbers.get(view)
    if (number === undefined) this.#numbers.set(view, (number = String(++this.#views)))
    return number
  }
}
