// The sites that were looked up by their slugs lately, kept in memory as long as nobody changes the catalog.

import { LRUCache } from 'lru-cache'
import type { SqliteHandle, SqliteStatement } from './sqlite/sqlite.js'

const MAX_REMEMBERED_SITES = 1024

export class KnownSites<Site extends object> {
  readonly #dataVersion: SqliteStatement<{ data_version: number }>
  /** By slug, as of `#version`. */
  readonly #sites = new LRUCache<string, Site>({ max: MAX_REMEMBERED_SITES })
  #version: number | undefined

  constructor(sqlite: SqliteHandle) {
    this.#dataVersion = sqlite.prepare('PRAGMA data_version')
  }

  /** The site with this slug, read where it is not known. That there is none is not remembered. */
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

  /** Asks SQLite at each look-up, one question for all sites: the number changes when another connection commits ("PRAGMA data_version"). */
  #forgetIfChanged(): void {
    const version = this.#dataVersion.first([])?.data_version
    if (version !== this.#version) this.#sites.clear()
    this.#version = version
  }
}
