// Caches prepared answers by view and target, so that a target that was requested before needs no look at the tree.

import { LRUCache } from 'lru-cache'
import type { PreparedAnswer } from './representation.js'
import type { SiteView } from '../views/site-view.js'

/** The memory of a prepared answer besides its target: fields, tags, and the arrays of its representations. */
const ENTRY_BYTES = 2048
/** The share of the configured bytes that is for answers; the rest is for bodies. */
const CACHE_SHARE = 1 / 8
/** How long an answer is cached whose page the index does not know yet. */
const PROVISIONAL_MS = 1000

export class AnswerCache {
  readonly #kept: LRUCache<string, PreparedAnswer>
  /** A number for each view: the view of a new commit has a new number and finds no older answer. */
  readonly #numbers = new WeakMap<SiteView, string>()
  #views = 0

  constructor(cacheBytes: number) {
    this.#kept = new LRUCache({
      maxSize: Math.max(1, Math.floor(cacheBytes * CACHE_SHARE)),
      sizeCalculation: (_answer, key) => ENTRY_BYTES + key.length,
    })
  }

  get(view: SiteView, target: string): PreparedAnswer | undefined {
    return this.#kept.get(this.#numberOf(view) + target)
  }

  /** Caches only files at their own URL: queries and missing paths are without number and must not evict anything. */
  keep(view: SiteView, target: string, answer: PreparedAnswer): void {
    if (answer.content.status !== 200 || target.includes('?')) return
    this.#kept.set(this.#numberOf(view) + target, answer, { ttl: answer.isProvisional ? PROVISIONAL_MS : 0 })
  }

  drop(view: SiteView, target: string): void {
    this.#kept.delete(this.#numberOf(view) + target)
  }

  #numberOf(view: SiteView): string {
    let number = this.#numbers.get(view)
    if (number === undefined) this.#numbers.set(view, (number = String(++this.#views)))
    return number
  }
}
