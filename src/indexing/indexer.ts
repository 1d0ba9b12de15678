// The serving thread's side of the thread that keeps the index.

import type { Turnstile } from '../catalog/sqlite/turnstile.js'
import { ServiceError } from '../model/errors.js'
import type { Troubles } from '../store/health/troubles.js'
import type { SiteRef } from '../store/protocol/write.js'
import { ThreadClient } from '../threads/client.js'
import { ENTRIES } from '../threads/entries.js'
import type { IndexerData, IndexerProtocol, Reach } from './indexer-thread.js'

export class Indexer {
  readonly #client: ThreadClient<IndexerProtocol>

  /** The thread lets through whoever goes through the turnstile. */
  constructor(dataDir: string, troubles: Troubles, turnstile: Turnstile) {
    this.#client = new ThreadClient({
      entry: ENTRIES.indexerThread,
      worker: { workerData: { dataDir, turnstileMemory: turnstile.memory } satisfies IndexerData },
      lost: (cause) =>
        Object.assign(new ServiceError('site_busy', 'The index has to be taken up again. Try again in a second.'), {
          cause,
        }),
      onEvent: ({ site, trouble }) => troubles.report(site, trouble),
    })
  }

  /**
   * Resolves when the site's index, or its pages alone, have reached the head as it was when this was called. The answer
   * names commits that main reached once and no longer does.
   */
  bring({ id, slug }: SiteRef, reach: Reach): Promise<readonly string[]> {
    return this.#client.ask({ site: { id, slug }, reach })
  }

  /** Ends the thread after the step that it is at: the index is whole after every transaction. */
  close(): Promise<void> {
    return this.#client.close(new ServiceError('shutting_down', 'The service is stopping. Try again in a few seconds.'))
  }
}
