// The sites that were looked up by their slugs lately, kept in memory as long as nobody changes the catalog.

import { LRUCache } from 'lru-cache'
import type { SqliteHandle, SqliteStatement } from './sqlite/sqlite.js'

const MAX_REMEMBERED_SITES = 1024

export class KnownSites<Site extends object> {
  readonly #dataVersion: SqliteStatement<{ data_version: number }>
  /** By slug, as of `#version`. */
  readonly #sites = new LRUCache<string, Site>({ max: MAX_REMEMBERED_SITES })
  readonly #memoryMs: number
  #version: number | undefined
  /** When `#version` was read, monotonic milliseconds. */
  #checkedAt = -Infinity

  /** `memoryMs`: how long a change by another connection to the file may go unnoticed. */
  constructor(sqlite: SqliteHandle, memoryMs: number) {
    this.#dataVersion = sqlite.prepare('PRAGMA data_version')
    this.#memoryMs = memoryMs
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

  /** One question for all sites: it changes when another connection commits (SQLite, "PRAGMA data_version"). */
  #forgetIfChanged(): void {
    const now = performance.now()
    if (now - this.#checkedAt < this.#memoryMs) return
    const [row] = this.#dataVersion.all([])
    if (row?.data_version !== this.#version) this.#sites.clear()
    this.#version = row?.data_version
    this.#checkedAt = now
  }
}
