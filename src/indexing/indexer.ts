// The serving thread's side of the thread that keeps the index: started when it is first needed, replaced when it dies.

import { Worker } from 'node:worker_threads'
import type { Turnstile } from '../catalog/sqlite/turnstile.js'
import { ServiceError } from '../model/errors.js'
import { endThread } from '../threads/end-thread.js'
import { ENTRIES } from '../threads/entries.js'
import { fromFailure } from '../store/protocol/failure.js'
import type { Troubles } from '../store/health/troubles.js'
import type { SiteRef } from '../store/protocol/write.js'
import type { IndexerData, IndexReply, IndexRequest, IndexTrouble, Reach } from './indexer-thread.js'

interface Waiting {
  resolve(lost: readonly string[]): void
  reject(error: Error): void
}

export class Indexer {
  readonly #dataDir: string
  readonly #troubles: Troubles
  readonly #turnstile: Turnstile
  #thread: Worker | undefined
  #isClosed = false
  #lastTicket = 0
  readonly #waiting = new Map<number, Waiting>()

  /** The thread lets through whoever goes through the turnstile. */
  constructor(dataDir: string, troubles: Troubles, turnstile: Turnstile) {
    this.#dataDir = dataDir
    this.#troubles = troubles
    this.#turnstile = turnstile
  }

  /**
   * Resolves when the site's index, or its pages alone, have reached the head as it was when this was called. The answer
   * names commits that main reached once and no longer does.
   */
  bring({ id, slug }: SiteRef, reach: Reach): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(stopping())
      const ticket = ++this.#lastTicket
      this.#waiting.set(ticket, { resolve, reject })
      this.#thread ??= this.#start()
      // Only a waiting caller is a reason to keep the process alive.
      this.#thread.ref()
      this.#thread.postMessage({ ticket, site: { id, slug }, reach } satisfies IndexRequest)
    })
  }

  /** Ends the thread after the step that it is at: the index is whole after every transaction. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#abandon(stopping())
    if (this.#thread !== undefined) await endThread(this.#thread)
  }

  #start(): Worker {
    const thread = new Worker(ENTRIES.indexerThread, {
      workerData: { dataDir: this.#dataDir, turnstileMemory: this.#turnstile.memory } satisfies IndexerData,
    })
    thread.on('message', (reply: IndexReply | IndexTrouble) => {
      if ('ticket' in reply) this.#settle(reply)
      else this.#troubles.report(reply.site, reply.trouble)
    })
    const replace = (cause: unknown) => {
      if (this.#thread !== thread) return
      this.#thread = undefined
      const error = new ServiceError('site_busy', 'The index has to be taken up again. Try again in a second.')
      this.#abandon(Object.assign(error, { cause }))
    }
    thread.on('error', replace)
    thread.on('exit', replace)
    return thread
  }

  #settle(reply: IndexReply): void {
    const waiting = this.#waiting.get(reply.ticket)
    this.#waiting.delete(reply.ticket)
    if (this.#waiting.size === 0) this.#thread?.unref()
    if ('failure' in reply) waiting?.reject(fromFailure(reply.failure))
    else waiting?.resolve(reply.lost)
  }

  #abandon(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error)
    this.#waiting.clear()
  }
}

function stopping(): ServiceError {
  return new ServiceError('shutting_down', 'The service is stopping. Try again in a few seconds.')
}
