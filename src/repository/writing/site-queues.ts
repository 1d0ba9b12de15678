// The queues of a writer thread's sites, and the writers that they have open.

import type { SiteIndexes } from '../../index/site-index.js'
import type { Repositories } from '../protocol/repository.js'
import { placeOf } from '../protocol/site-place.js'
import type { SiteRef } from '../protocol/write.js'
import type { Sign } from './build-batch.js'
import { SiteQueue } from './site-queue.js'
import { SiteWriter } from './site-writer.js'

/** Past this many open sites the one that has been idle longest is closed. */
const MAX_OPEN_SITES = 256

export interface SiteQueuesParts {
  repositories: Repositories
  /** Gets the rows of the writes. */
  indexes: SiteIndexes
  /** Gets each commit that is stored. */
  sign: Sign
}

export class SiteQueues {
  readonly #parts: SiteQueuesParts
  /** By place, the most recently requested last. */
  readonly #queues = new Map<string, SiteQueue>()

  constructor(parts: SiteQueuesParts) {
    this.#parts = parts
  }

  /** Returns the site's queue, and makes one if there is none. */
  of(site: SiteRef): SiteQueue {
    const place = placeOf(site)
    const queue = this.#queues.get(place) ?? new SiteQueue(site)
    this.#queues.delete(place)
    // Closes another one first: the new one also counts as idle until its request is added.
    if (this.#queues.size >= MAX_OPEN_SITES) this.#closeLongestIdle()
    this.#queues.set(place, queue)
    return queue
  }

  find(site: SiteRef): SiteQueue | undefined {
    return this.#queues.get(placeOf(site))
  }

  /** Returns the queues of the site and of its change requests. */
  ofSite({ slug }: SiteRef): SiteQueue[] {
    return [...this.#queues.values()].filter((queue) => queue.site.slug === slug)
  }

  /** Whether it is still the queue of its site: a deleted site may have a successor of the same name. */
  has(queue: SiteQueue): boolean {
    return this.find(queue.site) === queue
  }

  remove(queue: SiteQueue): void {
    if (this.has(queue)) this.#queues.delete(placeOf(queue.site))
  }

  /** Returns the site's writer. The first call opens it, which verifies the repository's configuration and hooks. */
  writerOf(queue: SiteQueue): SiteWriter {
    const { repositories, indexes, sign } = this.#parts
    queue.writer ??= new SiteWriter(
      queue.site,
      repositories.openForWriting(queue.site),
      sign,
      indexes.of(queue.site.id, queue.site.request),
    )
    return queue.writer
  }

  #closeLongestIdle(): void {
    for (const [place, queue] of this.#queues) {
      if (!queue.isIdle) continue
      queue.writer?.close()
      this.#queues.delete(place)
      return
    }
  }
}
