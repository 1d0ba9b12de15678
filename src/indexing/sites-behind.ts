// Finds out which of many sites the index is behind of, for look-ups of an id that the index does not know. Each look serves all
// who asked before it began, and the looks at one group of sites take a tenth of the indexer's time at most.

import { setTimeout as delay } from 'node:timers/promises'
import type { SiteRef } from '../store/protocol/write.js'
import type { Store } from '../store/store.js'
import type { Indexer } from './indexer.js'

/** Milliseconds of rest for each millisecond of looking. */
const IDLE_RATIO = 9

interface Looks {
  /** Resolves after the look under way and the rest that follows it. */
  rested: Promise<void>
  /** The look that begins then, for those who ask in between. */
  next: Promise<SiteRef[]> | undefined
}

export class SitesBehind {
  readonly #indexer: Pick<Indexer, 'findBehind'>
  readonly #store: Pick<Store, 'isBehind'>
  readonly #looks = new Map<string, Looks>()

  constructor(indexer: Pick<Indexer, 'findBehind'>, store: Pick<Store, 'isBehind'>) {
    this.#indexer = indexer
    this.#store = store
  }

  /** `group` names the sites that `list` answers; they are listed, and looked at, after this was called. */
  async find(group: string, list: () => Promise<readonly SiteRef[]>): Promise<SiteRef[]> {
    const looks = this.#looks.get(group)
    if (looks === undefined) return await this.#look(group, list)
    looks.next ??= looks.rested.then(() => this.#look(group, list))
    return await looks.next
  }

  async #look(group: string, list: () => Promise<readonly SiteRef[]>): Promise<SiteRef[]> {
    const began = performance.now()
    const found = this.#compare(list)
    const rest = () => delay(IDLE_RATIO * (performance.now() - began), undefined, { ref: false })
    const looks: Looks = { rested: found.then(rest, rest), next: undefined }
    this.#looks.set(group, looks)
    void looks.rested.then(() => looks.next === undefined && this.#looks.delete(group))
    return await found
  }

  async #compare(list: () => Promise<readonly SiteRef[]>): Promise<SiteRef[]> {
    const sites = await list()
    const behind = new Set(await this.#indexer.findBehind(sites))
    return sites.filter((site) => behind.has(site.id) || this.#store.isBehind(site))
  }
}
