// The serving thread's side of the text indexer thread. Knows how far each site's text has followed, and makes it follow each write.

import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../model/errors.js'
import type { SiteRef } from '../../repository/protocol/write.js'
import { ThreadClient } from '../../threads/client.js'
import { ENTRIES } from '../../threads/entries.js'
import type { TextIndexerData, TextIndexerProtocol } from './text-indexer-thread.js'

/** The thread has the lowest priority: on a busy machine its step takes a while. */
const END_WITHIN_MS = 15_000
/** Writes of a site within this time are taken together: opening its file and repository costs more than most writes. */
const GATHER_MS = 1000

export class TextIndexer {
  readonly #client: ThreadClient<TextIndexerProtocol>
  /** By site id: the position that its text has reached. */
  readonly #reached = new Map<string, number>()
  /** Ids of the sites whose text will follow soon. */
  readonly #noted = new Set<string>()

  constructor(data: TextIndexerData) {
    this.#client = new ThreadClient({
      entry: ENTRIES.textIndexerThread,
      worker: { workerData: data },
      lost: (cause) =>
        Object.assign(new ServiceError('site_busy', 'Indexing was interrupted. Try again in a second.'), { cause }),
      endWithinMs: END_WITHIN_MS,
    })
  }

  /** Resolves when the site's text describes the commit at a position of the index, or a later one. */
  async follow(site: SiteRef, position: number): Promise<void> {
    if ((this.#reached.get(site.id) ?? 0) >= position) return
    const { id, slug } = site
    this.#reached.set(id, await this.#client.ask({ kind: 'follow', site: { id, slug } }))
  }

  /** Notes that the index of the site moves: its text follows in the background. */
  note(site: SiteRef): void {
    if (this.#noted.has(site.id)) return
    this.#noted.add(site.id)
    void delay(GATHER_MS, undefined, { ref: false })
      .then(() => {
        this.#noted.delete(site.id)
        return this.follow(site, Infinity)
      })
      // The next search of the site reports the error.
      .catch(() => undefined)
  }

  /** Forgets how far the site's text is: the next search makes it follow again. */
  expire(siteId: string): void {
    this.#reached.delete(siteId)
  }

  /** Removes the text of a deleted site. */
  async forget({ id, slug }: SiteRef): Promise<void> {
    this.expire(id)
    await this.#client.ask({ kind: 'forget', site: { id, slug } })
  }

  /** Ends the thread after its current step. */
  async close(): Promise<void> {
    await this.#client.close(new ServiceError('shutting_down', 'The service is stopping. Try again in a few seconds.'))
  }
}
