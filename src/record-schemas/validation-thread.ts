// One thread that checks records, with a deadline for each question. Past it the thread is ended, whatever it is doing,
// and the next question starts a new one.

import { Worker } from 'node:worker_threads'
import { ENTRIES } from '../threads/entries.js'
import type { Answer, Question } from './record-validator-thread.js'

/** `overrun`: no answer by the deadline, or the thread ran out of memory. `closed`: the service is stopping. */
export type Outcome = Exclude<Answer, 'ready'> | 'overrun' | 'closed'

/** Megabytes. A megabyte of record and 64 KiB of schema need far less. */
const HEAP_LIMIT = 192

interface Running {
  question: Question
  deadline: NodeJS.Timeout | undefined
  settle(outcome: Outcome): void
}

export class ValidationThread {
  readonly #deadline: number
  #worker: Worker | undefined
  #isReady = false
  #running: Running | undefined

  /** `deadline`: milliseconds for one question, not counting the thread's own start. */
  constructor(deadline: number) {
    this.#deadline = deadline
  }

  get isFree(): boolean {
    return this.#running === undefined
  }

  /** Must be free. Never rejects. */
  ask(question: Question): Promise<Outcome> {
    return new Promise((settle) => {
      this.#running = { question, deadline: undefined, settle }
      this.#worker ??= this.#start()
      // Only a waiting caller is a reason to keep the process alive.
      this.#worker.ref()
      if (this.#isReady) this.#send()
    })
  }

  /** Resolves when the thread is gone. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#abandon('closed')
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(ENTRIES.recordValidatorThread, {
      // Nothing of the process is the schemas' business.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT },
    })
    worker.on('message', (answer: Answer) => {
      if (worker !== this.#worker) return
      if (answer !== 'ready') return this.#finish(answer)
      this.#isReady = true
      this.#send()
    })
    // Out of memory, or a defect: either way this question is not answered. `exit` follows, but says less.
    worker.on('error', () => {
      if (worker === this.#worker) this.#abandon('overrun')
    })
    return worker
  }

  #send(): void {
    const running = this.#running
    if (running === undefined) return
    this.#worker?.postMessage(running.question)
    // A busy main thread may see the timer before an answer that came in time: one more turn of the loop lets it in.
    const overrun = () => setImmediate(() => this.#running === running && this.#abandon('overrun'))
    running.deadline = setTimeout(overrun, this.#deadline)
  }

  #finish(outcome: Outcome): void {
    const running = this.#running
    this.#running = undefined
    clearTimeout(running?.deadline)
    this.#worker?.unref()
    running?.settle(outcome)
  }

  #abandon(outcome: 'overrun' | 'closed'): void {
    const worker = this.#worker
    this.#worker = undefined
    this.#isReady = false
    void worker?.terminate()
    this.#finish(outcome)
  }
}
