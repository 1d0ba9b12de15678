// Long work of a thread, done in steps. Jobs take turns; new requests to the thread are read between two turns.

import type { Failure, Protocol, Said } from './messages.js'

/** Work that is done in steps. */
export interface Steps<Answer> {
  /** Takes one step. True when nothing is left to do. */
  advance(): boolean
  readonly answer: Answer
  close(): void
}

export interface JobsParts<P extends Protocol> {
  /** Time for which one job runs before the next one has its turn, in milliseconds. */
  turnMs: number
  /** Called once for each ticket. */
  say: (said: Said<P>) => void
  failureOf: (error: unknown) => Failure
}

interface Job<Answer> {
  steps: Steps<Answer>
  /** Tickets of the requests that wait for it. */
  tickets: number[]
}

export class Jobs<P extends Protocol> {
  readonly #parts: JobsParts<P>
  /** By name, in the order of their turns. */
  readonly #jobs = new Map<string, Job<P['answer']>>()
  #isAwake = false

  constructor(parts: JobsParts<P>) {
    this.#parts = parts
  }

  /** Answers the ticket once the job with this name is done. Begins the job unless it already runs. */
  add(name: string, ticket: number, begin: () => Steps<P['answer']>): void {
    const job = this.#jobs.get(name) ?? { steps: begin(), tickets: [] }
    job.tickets.push(ticket)
    this.#jobs.set(name, job)
    if (this.#isAwake) return
    this.#isAwake = true
    setImmediate(() => this.#takeTurn())
  }

  /** Ends the job unfinished. The caller must answer the returned tickets. */
  giveUp(name: string): number[] {
    const job = this.#jobs.get(name)
    this.#jobs.delete(name)
    job?.steps.close()
    return job?.tickets ?? []
  }

  #takeTurn(): void {
    for (const [name, job] of this.#jobs) {
      this.#jobs.delete(name)
      if (!this.#isDone(job)) this.#jobs.set(name, job)
      break
    }
    this.#isAwake = this.#jobs.size > 0
    if (this.#isAwake) setImmediate(() => this.#takeTurn())
  }

  #isDone({ steps, tickets }: Job<P['answer']>): boolean {
    const { turnMs, say, failureOf } = this.#parts
    const end = performance.now() + turnMs
    try {
      while (!steps.advance()) if (performance.now() >= end) return false
      const { answer } = steps
      say({ replies: tickets.map((ticket) => ({ ticket, answer })) })
    } catch (error) {
      const failure = failureOf(error)
      say({ replies: tickets.map((ticket) => ({ ticket, failure })) })
    }
    steps.close()
    return true
  }
}
