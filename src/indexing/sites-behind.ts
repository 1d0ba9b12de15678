// Finds the sites among many whose index is behind, for look-ups of an id that the index does not know. Each look serves all
// callers that came before it began. The looks at one group of sites take at most a tenth of the indexer's time.

import { setTimeout as delay } from 'node:timers/promises'
import type { SiteRef } from '../repository/protocol/write.js'
import type { Store } from '../repository/store.js'
import type { Indexer } from './indexer.js'

/** Milliseconds of rest for each millisecond of looking. */
const IDLE_RATIO = 9

interface Looks {
  /** Resolves after the running look and the rest after it. */
  rested: Promise<void>
  /** The look that begins then, for callers that come before. */
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

  /** Finds the sites that are behind. `group` names the sites that `list` returns; listing and looking begin after this call. */
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
