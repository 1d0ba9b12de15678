// Sites recently looked up by slug, kept in memory until the catalog changes.

import { LRUCache } from 'lru-cache'
import type { SqliteHandle } from './sqlite/sqlite.js'
import type { SqliteStatement } from './sqlite/statement.js'

const MAX_REMEMBERED_SITES = 1024

export class KnownSites<Site extends object> {
  readonly #dataVersion: SqliteStatement<{ data_version: number }>
  /** By slug, as of `#version`. */
  readonly #sites = new LRUCache<string, Site>({ max: MAX_REMEMBERED_SITES })
  #version: number | undefined
  /** Whether SQLite was asked since the event loop called this process's code. */
  #isAsked = false

  constructor(sqlite: SqliteHandle) {
    this.#dataVersion = sqlite.prepare('PRAGMA data_version')
  }

  /** Returns the site with this slug, and reads it if it is not in memory. A missing site is not remembered. */
  find(slug: string, read: () => Site | undefined): Site | undefined {
    this.#forgetIfChanged()
    const known = this.#sites.get(slug)
    if (known !== undefined) return known
    const site = read()
    if (site !== undefined) this.#sites.set(slug, site)
    return site
  }

  forget(slug: string): void {
    this.#sites.delete(slug)
  }

  forgetAll(): void {
    this.#sites.clear()
  }

  /**
   * Asks SQLite, once for all sites: "PRAGMA data_version" changes when another connection commits. One answer does for all look-ups of
   * the same callback of the event loop: their requests had all arrived before it.
   */
  #forgetIfChanged(): void {
    if (this.#isAsked) return
    const version = this.#dataVersion.first([])?.data_version
    if (version !== this.#version) this.#sites.clear()
    this.#version = version
    this.#isAsked = true
    queueMicrotask(() => (this.#isAsked = false))
  }
}
