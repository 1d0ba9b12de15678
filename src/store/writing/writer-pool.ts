// The serving thread's side of the writer threads: a site always has the same thread, and its queue is bounded.

import { ServiceError } from '../../model/errors.js'
import { ThreadClient } from '../../threads/client.js'
import { ENTRIES } from '../../threads/entries.js'
import { type Drafted, type SiteRef, sizeOf, type Write, type Written } from '../protocol/write.js'
import type {
  BatchEvent,
  WriterAnswer,
  WriterProtocol,
  WriterRequest,
  WriterSettings,
} from '../protocol/writer-messages.js'

export interface PoolLimits {
  writerThreads: number
  queueWrites: number
  queueBytes: number
}

export class WriterPool {
  readonly #limits: PoolLimits
  readonly #threads: readonly ThreadClient<WriterProtocol>[]
  /** The writes that wait for each site, by slug. */
  readonly #load = new Map<string, { writes: number; bytes: number }>()

  /** `onBatch` is called before the writes of the batch are answered. */
  constructor(settings: WriterSettings, limits: PoolLimits, onBatch: (event: BatchEvent) => void) {
    this.#limits = limits
    this.#threads = Array.from(
      { length: limits.writerThreads },
      () =>
        new ThreadClient<WriterProtocol>({
          entry: ENTRIES.writerThread,
          worker: { workerData: settings },
          lost,
          onEvent: onBatch,
        }),
    )
  }

  /** Resolves when the write is durable; rejects with the ServiceError that says what became of it. */
  async write(site: SiteRef, write: Write): Promise<Written> {
    const answer = await this.#askWithin(site.slug, sizeOf(write.operation), { type: 'write', site, write })
    if ('written' in answer) return answer.written
    throw new Error('a writer answered a write without its result')
  }

  /** Resolves with what the write would have made; nothing is kept. */
  async draft(site: SiteRef, write: Write): Promise<Drafted> {
    const answer = await this.#askWithin(site.slug, sizeOf(write.operation), { type: 'draft', site, write })
    if ('drafted' in answer) return answer.drafted
    throw new Error('a writer answered a draft without its result')
  }

  async createRepository(site: SiteRef, time: number): Promise<void> {
    await this.#ask({ type: 'create', site, time })
  }

  async openRepository(site: SiteRef): Promise<void> {
    await this.#ask({ type: 'open', site })
  }

  /** Writes that wait are answered `site_not_found`. The caller sends no more of them. */
  async retireRepository(site: SiteRef): Promise<void> {
    await this.#ask({ type: 'retire', site })
  }

  async keepLost(site: SiteRef, commit: string): Promise<void> {
    await this.#ask({ type: 'keep-lost', site, commit })
  }

  /** Takes nothing new, lets what waits be written, then ends the threads. */
  async close(): Promise<void> {
    const reason = new ServiceError('shutting_down', 'The service is stopping. Try again in a few seconds.')
    await Promise.all(this.#threads.map((thread) => thread.drain(reason)))
    await Promise.all(this.#threads.map((thread) => thread.close(reason)))
  }

  /** Refuses with `queue_full` what the site's queue has no room for. */
  async #askWithin(slug: string, bytes: number, request: WriterRequest): Promise<WriterAnswer> {
    const load = this.#load.get(slug) ?? { writes: 0, bytes: 0 }
    const { queueWrites, queueBytes } = this.#limits
    if (load.writes >= queueWrites || (load.writes > 0 && load.bytes + bytes > queueBytes)) {
      throw new ServiceError('queue_full', 'Too many writes wait for this site. Try again in a second.')
    }
    this.#load.set(slug, load)
    load.writes++
    load.bytes += bytes
    try {
      return await this.#ask(request)
    } finally {
      load.writes--
      load.bytes -= bytes
      if (load.writes === 0) this.#load.delete(slug)
    }
  }

  async #ask(request: WriterRequest): Promise<WriterAnswer> {
    const thread = this.#threads[hash(request.site.slug) % this.#threads.length]
    if (thread === undefined) throw new Error('there is no writer thread')
    return await thread.ask(request)
  }
}

/** Requests of a thread that died: their writes may have been made or not. */
function lost(cause: unknown): Error {
  const error = new ServiceError(
    'outcome_unknown',
    'The writer stopped before it answered. Read the page to see whether the write happened.',
  )
  return Object.assign(error, { cause })
}

/** FNV-1a: spreads slugs over threads, always the same way. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}
