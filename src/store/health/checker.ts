// The serving thread's side of the thread that checks objects: started when it is first needed, replaced when it dies.

import { Worker } from 'node:worker_threads'
import type { CheckReply, CheckRequest, ObjectsFound, ObjectsRequest, PartRequest } from './checker-thread.js'
import { endThread } from '../../threads/end-thread.js'
import { ENTRIES } from '../../threads/entries.js'
import { fromFailure } from '../protocol/failure.js'
import type { Part } from './served-objects.js'

type CheckFound = Part | ObjectsFound

interface Waiting {
  resolve(found: CheckFound): void
  reject(error: unknown): void
}

export class Checker {
  #thread: Worker | undefined
  #isClosed = false
  #lastTicket = 0
  readonly #waiting = new Map<number, Waiting>()

  /** The next part of what the repository serves, from the start unless the part before was its too. */
  checkPart(gitdir: string): Promise<Part> {
    return this.#ask<Part>({ gitdir })
  }

  /** Which of the objects are damaged still, and where main is now. */
  checkObjects(request: ObjectsRequest): Promise<ObjectsFound> {
    return this.#ask<ObjectsFound>(request)
  }

  /** Ends the thread after the part that it is at. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#thread !== undefined) await endThread(this.#thread)
  }

  #ask<T extends CheckFound>(request: PartRequest | ObjectsRequest): Promise<T> {
    return new Promise<CheckFound>((resolve, reject) => {
      if (this.#isClosed) return reject(new Error('the checker is closed'))
      const ticket = ++this.#lastTicket
      this.#waiting.set(ticket, { resolve, reject })
      this.#thread ??= this.#start()
      this.#thread.postMessage({ ...request, ticket } satisfies CheckRequest)
    }) as Promise<T>
  }

  #start(): Worker {
    const thread = new Worker(ENTRIES.checkerThread)
    // Nothing that it finds is a reason to keep the process alive.
    thread.unref()
    thread.on('message', (reply: CheckReply) => {
      const waiting = this.#waiting.get(reply.ticket)
      this.#waiting.delete(reply.ticket)
      if ('failure' in reply) waiting?.reject(fromFailure(reply.failure))
      else waiting?.resolve(reply.found)
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
