// The two readers of a service's repositories. One reads at once, for the API; the other at a pace, for visitors, so that their requests
// do not delay others. Both are told of the service's own writes.

import type { ReadPace } from '../git/storage/object-reader.js'
import type { Troubles } from './health/troubles.js'
import type { Repositories } from './protocol/repository.js'
import type { SiteRef } from './protocol/write.js'
import type { SharedTree } from './protocol/writer-messages.js'
import { ObjectLoader } from './reading/object-loader.js'
import { SiteReader } from './reading/site-reader.js'

export interface ReadersOptions {
  dataDir: string
  troubles: Troubles
  /** Called when a site is opened. */
  onOpen: (site: SiteRef) => void
  /** Opens repositories, at the pace if one is given. */
  repositoriesAt: (pace?: ReadPace) => Pick<Repositories, 'open'>
  /** The pace for visitors; without one, they read at once too. */
  pace: ReadPace | undefined
}

export class Readers {
  readonly own: SiteReader
  readonly hosted: SiteReader
  readonly #loader: ObjectLoader | undefined

  constructor({ dataDir, troubles, onOpen, repositoriesAt, pace }: ReadersOptions) {
    const all = { troubles, onOpen, hearsOfEveryWrite: true }
    this.own = new SiteReader({ ...all, repositories: repositoriesAt() })
    this.#loader = pace && new ObjectLoader(dataDir)
    const loader = this.#loader
    this.hosted =
      loader === undefined
        ? this.own
        : new SiteReader({
            ...all,
            repositories: repositoriesAt(pace),
            refused: this.own.refused,
            loadObject: (site, oid) => loader.load(site, oid),
          })
  }

  /** Keeps folders in memory that a writer just stored, so that the next reader need not read and hash them. */
  rememberTrees(site: SiteRef, trees: readonly SharedTree[]): void {
    for (const reader of this.#each()) reader.rememberTrees(site, trees)
  }

  /** Expires the site's head after a write of this service, which may have moved it. */
  expire(slug: string): void {
    for (const reader of this.#each()) reader.expire(slug)
  }

  /** Makes the readers of a deleted site get `site_not_found` from now on. */
  retire(site: SiteRef): void {
    for (const reader of this.#each()) reader.retire(site)
  }

  async close(): Promise<void> {
    for (const reader of this.#each()) reader.closeAll()
    await this.#loader?.close()
  }

  #each(): Set<SiteReader> {
    return new Set([this.own, this.hosted])
  }
}
