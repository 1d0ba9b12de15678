// Finds the sites among many whose index is behind, for look-ups of an id that the index does not know. Each comparison serves all
// callers that came before it began. The comparisons of one group of sites take at most a tenth of the indexer's time.

import { setTimeout as delay } from 'node:timers/promises'
import type { SiteRef } from '../repository/protocol/write.js'
import type { Store } from '../repository/store.js'
import type { Indexer } from './indexer.js'

/** Milliseconds of rest for each millisecond of comparing. */
const IDLE_RATIO = 9

interface Comparisons {
  /** Resolves after the running comparison and the rest after it. */
  rested: Promise<void>
  /** The comparison that begins then, for callers that come before. */
  next: Promise<SiteRef[]> | undefined
}

export class SitesBehind {
  readonly #indexer: Pick<Indexer, 'findBehind'>
  readonly #store: Pick<Store, 'reader'>
  readonly #comparisons = new Map<string, Comparisons>()

  constructor(indexer: Pick<Indexer, 'findBehind'>, store: Pick<Store, 'reader'>) {
    this.#indexer = indexer
    this.#store = store
  }

  /** Finds the sites that are behind. `group` names the sites that `list` returns; listing and comparing begin after this call. */
  async find(group: string, list: () => Promise<readonly SiteRef[]>): Promise<SiteRef[]> {
    const running = this.#comparisons.get(group)
    if (running === undefined) return await this.#begin(group, list)
    running.next ??= running.rested.then(() => this.#begin(group, list))
    return await running.next
  }

  async #begin(group: string, list: () => Promise<readonly SiteRef[]>): Promise<SiteRef[]> {
    const began = performance.now()
    const found = this.#compare(list)
    const rest = () => delay(IDLE_RATIO * (performance.now() - began), undefined, { ref: false })
    const running: Comparisons = { rested: found.then(rest, rest), next: undefined }
    this.#comparisons.set(group, running)
    void running.rested.then(() => running.next === undefined && this.#comparisons.delete(group))
    return await found
  }

  async #compare(list: () => Promise<readonly SiteRef[]>): Promise<SiteRef[]> {
    const sites = await list()
    const behind = new Set(await this.#indexer.findBehind(sites))
    return sites.filter((site) => behind.has(site.id) || this.#store.reader.refused.isBehind(site))
  }
}
