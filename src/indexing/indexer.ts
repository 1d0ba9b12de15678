// The serving thread's side of the indexer thread.

import type { WriteGate } from '../catalog/sqlite/write-gate.js'
import { ServiceError } from '../model/errors.js'
import type { Troubles } from '../store/health/troubles.js'
import type { SiteRef } from '../store/protocol/write.js'
import { ThreadClient } from '../threads/client.js'
import { ENTRIES } from '../threads/entries.js'
import type { IndexerData, IndexerProtocol } from './indexer-thread.js'

export interface IndexerParts {
  dataDir: string
  troubles: Troubles
  /** The thread gives way to writers here. */
  writeGate: WriteGate
  /** Told when the thread set a damaged index file aside, and why. */
  onSetAside?: (to: string, reason: unknown) => void
}

export class Indexer {
  readonly #client: ThreadClient<IndexerProtocol>

  constructor({ dataDir, troubles, writeGate, onSetAside }: IndexerParts) {
    this.#client = new ThreadClient({
      entry: ENTRIES.indexerThread,
      worker: { workerData: { dataDir, writeGateMemory: writeGate.memory } satisfies IndexerData },
      lost: (cause) =>
        Object.assign(new ServiceError('site_busy', 'Indexing was interrupted. Try again in a second.'), { cause }),
      onEvent(event) {
        if ('setAside' in event) onSetAside?.(event.setAside, event.reason)
        else troubles.report(event.site, event.trouble)
      },
    })
  }

  /**
   * Resolves when the site's index has reached the head as it was when this was called, with the commits that main reached
   * once and no longer reaches.
   */
  bringToHead({ id, slug }: SiteRef): Promise<readonly string[]> {
    return this.#client.ask({ kind: 'bring-to-head', site: { id, slug } })
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
