// A thread that serves one request at a time, first for the owner that has waited longest. Each request has a deadline.

import { FairQueue } from '../../admission/fair-queue.js'
import { ServiceError } from '../../model/errors.js'
import { ThreadClient, type ThreadOptions } from '../../threads/client.js'
import type { Protocol } from '../../threads/messages.js'

/** The limit of waiting requests of one owner: as many as one address may have connections by default. */
const MAX_WAITING = 1000
/** The limit for a request to wait; requests of any number of owners may come before it. */
const MAX_WAIT_MS = 20_000

interface Job<P extends Protocol> {
  request: P['request']
  resolve: (answer: P['answer']) => void
  reject: (error: unknown) => void
}

export class QueuedThread<P extends Protocol> {
  readonly #client: ThreadClient<P>
  readonly #deadlineMs: number
  readonly #turns: FairQueue<Job<P>>
  #isBusy = false

  constructor(options: Omit<ThreadOptions<P>, 'lost'>, deadlineMs: number) {
    const onLate = ({ reject }: Job<P>) => reject(busy(`no turn within ${MAX_WAIT_MS} ms`))
    this.#turns = new FairQueue<Job<P>>(MAX_WAITING, { maxMs: MAX_WAIT_MS, onLate })
    this.#client = new ThreadClient<P>({ ...options, keepsAlive: false, lost: (cause) => busy(cause) })
    this.#deadlineMs = deadlineMs
  }

  /**
   * Asks the thread. Rejects with `site_busy` if too many requests of the owner wait, after too long a wait, and at the deadline, which
   * also ends the thread.
   */
  ask(owner: string, request: P['request']): Promise<P['answer']> {
    return new Promise<P['answer']>((resolve, reject) => {
      if (this.#turns.add(owner, { request, resolve, reject })) void this.#next()
      else reject(busy('too many requests wait'))
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

  async #next(): Promise<void> {
    if (this.#isBusy) return
    const next = this.#turns.take(() => true)
    if (next === undefined) return
    this.#isBusy = true
    const late = busy(`no answer within ${this.#deadlineMs} ms`)
    const deadline = setTimeout(() => void this.#client.abort(late), this.#deadlineMs)
    await this.#client.ask(next.job.request).then(next.job.resolve, next.job.reject)
    clearTimeout(deadline)
    this.#isBusy = false
    void this.#next()
  }
}

function busy(cause: unknown): ServiceError {
  return Object.assign(new ServiceError('site_busy', 'This site takes too long to read. Try again shortly.'), { cause })
}
