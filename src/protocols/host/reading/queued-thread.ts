// A thread that serves requests one after the other, first for the owner that has waited longest. Each request has a deadline.

import { FairQueue } from '../../../admission/fair-queue.js'
import { ServiceError } from '../../../model/errors.js'
import { ThreadClient, type ThreadOptions } from '../../../threads/client.js'
import type { Protocol } from '../../../threads/messages.js'

/** The limit of waiting requests of one owner: as many as one address may have connections by default. */
const MAX_WAITING = 1000
/** The limit for a request to wait; requests of any number of owners may come before it. */
const MAX_WAIT_MS = 20_000

interface Job<P extends Protocol> {
  request: P['request']
  resolve: (answer: P['answer']) => void
  reject: (error: unknown) => void
}

export interface QueueLimits {
  /** The limit for one request, after which the thread is ended. */
  deadlineMs: number
  /** Requests that the thread has in hand at once: it need not wait for the next one. Default 1. */
  atOnce?: number
}

export class QueuedThread<P extends Protocol> {
  readonly #client: ThreadClient<P>
  readonly #deadlineMs: number
  readonly #atOnce: number
  readonly #turns: FairQueue<Job<P>>
  #inHand = 0

  constructor(options: Omit<ThreadOptions<P>, 'lost'>, { deadlineMs, atOnce = 1 }: QueueLimits) {
    const onLate = ({ reject }: Job<P>) => reject(busy(`no turn within ${MAX_WAIT_MS} ms`))
    this.#turns = new FairQueue<Job<P>>(MAX_WAITING, { maxMs: MAX_WAIT_MS, onLate })
    this.#client = new ThreadClient<P>({ ...options, keepsAlive: false, lost: (cause) => busy(cause) })
    this.#deadlineMs = deadlineMs
    this.#atOnce = atOnce
  }

  /** Starts the thread, so that the first request need not wait for its code to load. */
  start(): void {
    this.#client.start()
  }

  /**
   * Asks the thread. Rejects with `site_busy` if too many requests of the owner wait, after too long a wait, and at the deadline, which
   * also ends the thread.
   */
  ask(owner: string, request: P['request']): Promise<P['answer']> {
    return new Promise<P['answer']>((resolve, reject) => {
      const job = { request, resolve, reject }
      // None waits while the thread can take one.
      if (this.#inHand < this.#atOnce) void this.#run(job)
      else if (!this.#turns.add(owner, job)) reject(busy('too many requests wait'))
    })
  }

  /** Sends a message without an answer, if the thread runs. The thread has read it before the next request. */
  tell(request: P['request']): void {
    this.#client.tell(request)
  }

  async close(): Promise<void> {
    for (const { reject } of this.#turns.clear()) reject(busy('closed'))
    await this.#client.close(busy('closed'))
  }

  async #run({ request, resolve, reject }: Job<P>): Promise<void> {
    this.#inHand += 1
    const abort = () => void this.#client.abort(busy(`no answer within ${this.#deadlineMs} ms`))
    const deadline = setTimeout(abort, this.#deadlineMs)
    await this.#client.ask(request).then(resolve, reject)
    clearTimeout(deadline)
    this.#inHand -= 1
    const next = this.#turns.take(() => true)
    if (next !== undefined) void this.#run(next.job)
  }
}

function busy(cause: unknown): ServiceError {
  return Object.assign(new ServiceError('site_busy', 'This site takes too long to read. Try again shortly.'), { cause })
}
