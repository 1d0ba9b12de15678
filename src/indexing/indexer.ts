// The serving thread's side of the indexer thread.

import { IndexMoved } from '../index/tables/index-position.js'
import { ServiceError } from '../model/errors.js'
import type { Troubles } from '../repository/health/troubles.js'
import type { SiteRef } from '../repository/protocol/write.js'
import { ThreadClient } from '../threads/client.js'
import { ENTRIES } from '../threads/entries.js'
import type { IndexerData, IndexerProtocol } from './indexer-thread.js'

export interface IndexerParts {
  dataDir: string
  troubles: Troubles
  /** Called after the thread removed a damaged file, with the reason. */
  onDamaged?: (file: string, reason: unknown) => void
}

export class Indexer {
  readonly #client: ThreadClient<IndexerProtocol>
  /** Ids of the sites whose rows a writer thread may have written since the indexer thread was last told. */
  readonly #moved = new Set<string>()

  constructor({ dataDir, troubles, onDamaged }: IndexerParts) {
    this.#client = new ThreadClient({
      entry: ENTRIES.indexerThread,
      worker: { workerData: { dataDir } satisfies IndexerData },
      lost: (cause) =>
        Object.assign(new ServiceError('site_busy', 'Indexing was interrupted. Try again in a second.'), { cause }),
      onEvent(event) {
        if ('damaged' in event) onDamaged?.(event.damaged, event.reason)
        else troubles.report(event.site, event.trouble)
      },
    })
  }

  /**
   * Brings the site's index to the head at the time of the call. Resolves with the commits that main reached
   * once and no longer reaches. Rejects with `site_busy` if the thread died.
   */
  async bringToHead(site: SiteRef): Promise<readonly string[]> {
    return await this.#client.ask({ kind: 'bring-to-head', site: plain(site) })
  }

  /**
   * Gives a change request the rows of its site, as of now. Returns the commit that they describe: the request forks from it. Throws
   * `IndexMoved` if the site has no rows, or another thread writes them.
   */
  async fork(request: SiteRef): Promise<string> {
    const [fork] = await this.#client.ask({ kind: 'fork', site: plain(request) })
    if (fork === undefined) throw new IndexMoved('The rows of the site cannot be copied now.')
    return fork
  }

  /** Gives a change request without rows those of its site, if these describe the commit that it forks from. */
  async seed(request: SiteRef): Promise<void> {
    await this.#client.ask({ kind: 'seed', site: plain(request) })
  }

  /** Removes the rows of a deleted site and of its change requests; those of one request, if it names one. */
  async forget(site: SiteRef): Promise<void> {
    await this.#client.ask({ kind: 'forget', site: plain(site) })
  }

  /** Returns the ids of those sites whose index is not at their head, or whose repository cannot be read. */
  findBehind(sites: readonly SiteRef[]): Promise<readonly string[]> {
    return this.#client.ask({ kind: 'find-behind', sites: sites.map(plain), moved: this.#takeMoved() })
  }

  /** Returns the ids of those sites that may have, or may have had, a page with this id, as far as the index knows. */
  findPage(siteIds: readonly string[], pageId: string): Promise<readonly string[]> {
    return this.#client.ask({ kind: 'find-page', siteIds, pageId, moved: this.#takeMoved() })
  }

  /** Notes that a writer thread may have stored rows of the site. */
  expire(siteId: string): void {
    this.#moved.add(siteId)
  }

  #takeMoved(): string[] {
    const moved = [...this.#moved]
    this.#moved.clear()
    return moved
  }

  /** Ends the thread after its current step: an unfinished transaction is dropped. */
  close(): Promise<void> {
    return this.#client.close(new ServiceError('shutting_down', 'The service is stopping. Try again in a few seconds.'))
  }
}

/** Leaves out what the thread does not need: it is copied with each message. */
function plain({ id, slug, request }: SiteRef): SiteRef {
  return { id, slug, ...(request !== undefined && { request }) }
}
