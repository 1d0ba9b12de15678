// The serving thread's side of the thread that checks objects: started when it is first needed, replaced when it dies.

import { Worker } from 'node:worker_threads'
import type { Oid } from '../git/oid.js'
import type { CheckReply, CheckRequest } from './checker-thread.js'
import { fromFailure } from './failure.js'
import type { Part } from './served-objects.js'

interface Waiting {
  resolve(part: Part): void
  reject(error: unknown): void
}

export class Checker {
  #thread: Worker | undefined
  #isClosed = false
  #lastTicket = 0
  readonly #waiting = new Map<number, Waiting>()

  /** The next part of what the repository serves, from the start unless the part before was its too. */
  checkPart(gitdir: string): Promise<Part> {
    return this.#ask({ gitdir })
  }

  /** These objects, as one part. */
  checkObjects(gitdir: string, oids: readonly Oid[]): Promise<Part> {
    return this.#ask({ gitdir, oids })
  }

  /** Ends the thread, whatever it is doing. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.terminate()
  }

  #ask(request: Omit<CheckRequest, 'ticket'>): Promise<Part> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error('the checker is closed'))
      const ticket = ++this.#lastTicket
      this.#waiting.set(ticket, { resolve, reject })
      this.#thread ??= this.#start()
      this.#thread.postMessage({ ...request, ticket } satisfies CheckRequest)
    })
  }

  #start(): Worker {
    const thread = new Worker(new URL('./checker-thread.js', import.meta.url))
    // Nothing that it finds is a reason to keep the process alive.
    thread.unref()
    thread.on('message', (reply: CheckReply) => {
      const waiting = this.#waiting.get(reply.ticket)
      this.#waiting.delete(reply.ticket)
      if ('failure' in reply) waiting?.reject(fromFailure(reply.failure))
      else waiting?.resolve(reply.part)
    })
    const replace = (cause: unknown) => {
      if (this.#thread !== thread) return
      this.#thread = undefined
      for (const waiting of this.#waiting.values()) waiting.reject(cause)
      this.#waiting.clear()
    }
    thread.on('error', replace)
    thread.on('exit', replace)
    return thread
  }
}
