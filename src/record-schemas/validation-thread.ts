// One thread that checks records, with a deadline for each question. Past it the thread is ended, whatever it is doing,
// and the next question starts a new one.

import { ThreadClient } from '../threads/client.js'
import { ENTRIES } from '../threads/entries.js'
import type { Answer, Question, ValidatorProtocol } from './record-validator-thread.js'

/** `overrun`: no answer by the deadline, or the thread ran out of memory. `closed`: the service is stopping. */
export type Outcome = Answer | 'overrun' | 'closed'

/** A megabyte of record and 64 KiB of schema need far less. */
const MAX_HEAP_MEGABYTES = 192
/** The first compilation of a process is slow: it belongs to the thread's start, so that no schema is blamed for it. */
const WARM_UP: Question = {
  definition: null,
  schema: { type: 'object', properties: { text: { type: 'string', pattern: '^a' } } },
  data: { text: 'b' },
}

export class ValidationThread {
  readonly #deadlineMs: number
  readonly #client: ThreadClient<ValidatorProtocol>
  #isWarm = false
  #isClosed = false
  #isBusy = false

  /** The deadline is for one question, and does not count the thread's own start. */
  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs
    this.#client = new ThreadClient({
      entry: ENTRIES.recordValidatorThread,
      // The thread runs the clients' schemas: it gets nothing of the process.
      worker: { env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES } },
      lost: (cause) => this.#end(cause),
    })
  }

  get isFree(): boolean {
    return !this.#isBusy
  }

  /** Must be free. Never rejects. */
  async ask(question: Question): Promise<Outcome> {
    this.#isBusy = true
    try {
      if (!this.#isWarm) await this.#client.ask(WARM_UP)
      this.#isWarm = true
      return await this.#answerInTime(question)
    } catch {
      return this.#isClosed ? 'closed' : 'overrun'
    } finally {
      this.#isBusy = false
    }
  }

  /** Resolves when the thread is gone. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client.abort(this.#end('closed'))
  }

  async #answerInTime(question: Question): Promise<Answer> {
    let isAnswered = false
    const overrun = () => void (isAnswered || this.#client.abort(this.#end('overrun')))
    // A busy main thread may see the timer before an answer that came in time: one more turn of the loop lets it in.
    const deadline = setTimeout(() => setImmediate(overrun), this.#deadlineMs)
    try {
      return await this.#client.ask(question)
    } finally {
      isAnswered = true
      clearTimeout(deadline)
    }
  }

  #end(cause: unknown): Error {
    this.#isWarm = false
    return new Error('the thread that checks records ended', { cause })
  }
}
