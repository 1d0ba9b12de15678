// Sites for which a thread of the index stood still. Each would hold the thread again, and all others behind it: such a site rests before
// it is tried again.

import { ServiceError } from '../model/errors.js'

/** A thread takes steps of milliseconds; the longest waits for a slow disk, on a busy machine. */
export const HUNG_AFTER_MS = 60_000
const REST_MS = 10 * 60_000

export class HungSites {
  /** When each may be tried again, by its id. */
  readonly #restUntil = new Map<string, number>()

  add(siteId: string): void {
    this.#restUntil.set(siteId, performance.now() + REST_MS)
  }

  /** Throws `site_busy` while the site rests. */
  refuse(siteId: string): void {
    const until = this.#restUntil.get(siteId)
    if (until === undefined) return
    if (performance.now() < until) {
      throw new ServiceError('site_busy', 'Indexing this site did not end, and is tried again within ten minutes.')
    }
    this.#restUntil.delete(siteId)
  }
}
