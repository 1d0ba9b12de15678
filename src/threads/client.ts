// The client of a thread that answers requests. The first request starts the thread, if `start` did not; it is replaced when it dies.

import { Worker, type WorkerOptions } from 'node:worker_threads'
import { type Asked, END, fromFailure, type Protocol, type Reply, type Said } from './messages.js'

const END_WITHIN_MS = 2000
/** Memory for young objects, which V8 lets grow to 48 in a thread: its data is garbage soon, and there are several threads. */
const MAX_YOUNG_MEGABYTES = 6

/** The ticket of messages without an answer. */
const NO_TICKET = 0

export interface ThreadOptions<P extends Protocol> {
  entry: URL
  worker?: WorkerOptions
  /** Makes the error of a request whose thread died before it answered. */
  lost: (cause: unknown, request: P['request']) => Error
  /** Called for events of the thread, before the replies in the same message are handed out. */
  onEvent?: (event: P['event']) => void
  /** Whether a waiting request keeps the process alive. Default true. */
  keepsAlive?: boolean
  /** Milliseconds after which a thread that was asked to end is terminated. Within SQLite that ends the process. Default 2,000. */
  endWithinMs?: number
}

interface Waiting<P extends Protocol> {
  request: P['request']
  resolve(answer: P['answer']): void
  reject(error: Error): void
}

export class ThreadClient<P extends Protocol> {
  readonly #options: ThreadOptions<P>
  #thread: Worker | undefined
  #closedBy: Error | undefined
  #lastTicket = 0
  readonly #waiting = new Map<number, Waiting<P>>()
  #whenIdle: (() => void) | undefined

  constructor(options: ThreadOptions<P>) {
    this.#options = options
  }

  /** Starts the thread, so that the first request need not wait for its code to load. */
  start(): void {
    this.#thread ??= this.#newThread()
  }

  /**
   * Resolves with the thread's answer; rejects with its ServiceError, with `lost`, or with the reason why the client was closed.
   * Memory in `moved` belongs to the thread from then on.
   */
  ask(request: P['request'], moved: readonly ArrayBuffer[] = []): Promise<P['answer']> {
    return new Promise((resolve, reject) => {
      if (this.#closedBy !== undefined) return reject(this.#closedBy)
      const ticket = ++this.#lastTicket
      this.#waiting.set(ticket, { request, resolve, reject })
      this.#thread ??= this.#newThread()
      if (this.#options.keepsAlive !== false) this.#thread.ref()
      this.#thread.postMessage({ ticket, request } satisfies Asked<P>, moved)
    })
  }

  /** Sends a message without an answer, if the thread runs. */
  tell(request: P['request']): void {
    this.#thread?.postMessage({ ticket: NO_TICKET, request } satisfies Asked<P>)
  }

  /** Takes no more requests; resolves when the waiting ones are answered. */
  async drain(reason: Error): Promise<void> {
    this.#closedBy = reason
    if (this.#waiting.size > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve))
  }

  /** Rejects waiting requests with the reason and terminates the thread at any point. The next request starts another. */
  async abort(reason: Error): Promise<void> {
    const thread = this.#thread
    this.#drop(() => reason)
    await thread?.terminate()
  }

  /**
   * Rejects waiting requests, and resolves when the thread is gone. The thread ends between two pieces of work. If it were terminated while
   * it makes a zlib stream, the whole process would end: Node asserts that a stream is initialised before its end.
   */
  async close(reason: Error): Promise<void> {
    this.#closedBy = reason
    const thread = this.#thread
    this.#drop(() => reason)
    if (thread === undefined) return
    const isGone = new Promise((resolve) => thread.once('exit', resolve))
    const late = setTimeout(() => void thread.terminate(), this.#options.endWithinMs ?? END_WITHIN_MS)
    thread.postMessage(END)
    await isGone
    clearTimeout(late)
  }

  #newThread(): Worker {
    const { entry, worker, lost, onEvent } = this.#options
    const thread = new Worker(entry, { resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_MEGABYTES }, ...worker })
    thread.unref()
    thread.on('message', ({ event, replies = [] }: Said<P>) => {
      if (event !== undefined) onEvent?.(event)
      if (this.#thread === thread) for (const reply of replies) this.#settle(reply)
    })
    const replace = (cause: unknown) => {
      if (this.#thread === thread) this.#drop((request) => lost(cause, request))
    }
    thread.on('error', replace)
    thread.on('exit', (code) => replace(new Error(`the thread ended with exit code ${code}`)))
    return thread
  }

  #settle(reply: Reply<P>): void {
    const waiting = this.#waiting.get(reply.ticket)
    this.#waiting.delete(reply.ticket)
    if ('failure' in reply) waiting?.reject(fromFailure(reply.failure))
    else waiting?.resolve(reply.answer)
    if (this.#waiting.size === 0) this.#becomeIdle()
  }

  #drop(errorOf: (request: P['request']) => Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(errorOf(waiting.request))
    this.#waiting.clear()
    this.#becomeIdle()
    this.#thread = undefined
  }

  #becomeIdle(): void {
    this.#thread?.unref()
    this.#whenIdle?.()
  }
}
