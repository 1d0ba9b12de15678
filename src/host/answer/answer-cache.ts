// Answers prepared for the targets of a view, so that a target that was asked before costs no walk through the tree.

import { LRUCache } from 'lru-cache'
import type { PreparedAnswer } from './representation.js'
import type { SiteView } from '../views/site-view.js'

/** What a prepared answer costs in memory beside its target: fields, tags, and the arrays of its representations. */
const ENTRY_BYTES = 2048
/** Of the configured bytes; the others are for bodies. */
const SHARE = 1 / 8
/** How long an answer is kept that lacks what the index, on its way, will say. */
const PROVISIONAL_MS = 1000

export class AnswerCache {
  readonly #kept: LRUCache<string, PreparedAnswer>
  /** A number for each view: a new commit's view has a new one, and finds nothing of an older commit. */
  readonly #numbers = new WeakMap<SiteView, string>()
  #views = 0

  constructor(cacheBytes: number) {
    this.#kept = new LRUCache({
      maxSize: Math.max(1, Math.floor(cacheBytes * SHARE)),
      sizeCalculation: (_answer, key) => ENTRY_BYTES + key.length,
    })
  }

  get(view: SiteView, target: string): PreparedAnswer | undefined {
    return this.#kept.get(this.#numberOf(view) + target)
  }

  /** Only what is there under its own URL: of queries and of paths with nothing there is no end, and they evict nothing. */
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
