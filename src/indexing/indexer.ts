// The serving thread's side of the indexer thread.

import type { WriteGate } from '../catalog/sqlite/write-gate.js'
import { ServiceError } from '../model/errors.js'
import type { Troubles } from '../store/health/troubles.js'
import type { SiteRef } from '../store/protocol/write.js'
import { ThreadClient } from '../threads/client.js'
import { ENTRIES } from '../threads/entries.js'
import { Heartbeat } from '../threads/heartbeat.js'
import { HUNG_AFTER_MS, HungSites } from '../threads/hung-sites.js'
import type { IndexerData, IndexerProtocol } from './indexer-thread.js'

export interface IndexerParts {
  dataDir: string
  troubles: Troubles
  /** The thread gives way to writers here. */
  writeGate: WriteGate
  /** Told when the thread set a damaged index file aside, and why. */
  onSetAside?: (to: string, reason: unknown) => void
  /** Told of a site whose indexing stood still. */
  onHung?: (site: SiteRef) => void
  hungAfterMs?: number
}

export class Indexer {
  readonly #client: ThreadClient<IndexerProtocol>
  readonly #hung = new HungSites()

  constructor({ dataDir, troubles, writeGate, onSetAside, onHung, hungAfterMs = HUNG_AFTER_MS }: IndexerParts) {
    const heartbeat = new Heartbeat()
    const workerData: IndexerData = { dataDir, writeGateMemory: writeGate.memory, heartbeatMemory: heartbeat.memory }
    this.#client = new ThreadClient({
      entry: ENTRIES.indexerThread,
      worker: { workerData },
      lost(cause) {
        writeGate.release()
        return Object.assign(new ServiceError('site_busy', 'Indexing was interrupted. Try again in a second.'), {
          cause,
        })
      },
      watch: {
        heartbeat,
        hungAfterMs,
        onHung: (request) => {
          if (request.kind !== 'bring-to-head') return
          this.#hung.add(request.site.id)
          onHung?.(request.site)
        },
      },
      onEvent(event) {
        if ('setAside' in event) onSetAside?.(event.setAside, event.reason)
        else troubles.report(event.site, event.trouble)
      },
    })
  }

  /**
   * Resolves when the site's index has reached the head as it was when this was called, with the commits that main reached
   * once and no longer reaches. Rejects with `site_busy` where the thread died, and for a site whose indexing stood still.
   */
  async bringToHead({ id, slug }: SiteRef): Promise<readonly string[]> {
    this.#hung.refuse(id)
    return await this.#client.ask({ kind: 'bring-to-head', site: { id, slug } })
  }

  /** Removes all rows of a deleted site. */
  async forget({ id, slug }: SiteRef): Promise<void> {
    await this.#client.ask({ kind: 'forget', site: { id, slug } })
  }

  /** The ids of those sites whose index is not at their head, or whose repository cannot be read. */
  findBehind(sites: readonly SiteRef[]): Promise<readonly string[]> {
    return this.#client.ask({ kind: 'find-behind', sites: sites.map(({ id, slug }) => ({ id, slug })) })
  }

  /** Ends the thread after its current step: the index is consistent after every transaction. */
  close(): Promise<void> {
    return this.#client.close(new ServiceError('shutting_down', 'The service is stopping. Try again in a few seconds.'))
  }
}
