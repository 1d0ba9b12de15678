// Long work of a thread, done in steps. The jobs take turns, and what is asked of the thread meanwhile is taken between two turns. Most jobs
// end in their first turn: that one comes before the next turns of those that did not.

import type { Heartbeat } from './heartbeat.js'
import type { Failure, Protocol, Said } from './messages.js'

/** Work that is done in steps. */
export interface Steps<Answer> {
  /** Takes one step. True when there is nothing left to do. */
  advance(): boolean
  readonly answer: Answer
  close(): void
}

export interface SteppedJobsParts<P extends Protocol> {
  /** Is told of each ticket once. */
  say: (said: Said<P>) => void
  heartbeat: Heartbeat
  failureOf: (error: unknown) => Failure
  /** Called after each turn. It must not throw. */
  betweenTurns?: () => void
}

interface Job<Answer> {
  steps: Steps<Answer>
  /** Of the requests that wait for it. */
  tickets: number[]
  isNew: boolean
}

/** How long one job goes on before the next one has its turn; and new jobs, all together, before one that is not new. */
const TURN_MS = 40

export class SteppedJobs<P extends Protocol> {
  readonly #parts: SteppedJobsParts<P>
  /** By name, in the order of their turns. */
  readonly #jobs = new Map<string, Job<P['answer']>>()
  /** Since the last turn of a job that was not new. */
  #msOfNewJobs = 0
  #isAwake = false

  constructor(parts: SteppedJobsParts<P>) {
    this.#parts = parts
  }

  /** Answers the ticket once the job of this name is done. It is begun unless it is under way. */
  add(name: string, ticket: number, begin: () => Steps<P['answer']>): void {
    this.#parts.heartbeat.beat(ticket)
    const job = this.#jobs.get(name) ?? { steps: begin(), tickets: [], isNew: true }
    job.tickets.push(ticket)
    this.#jobs.set(name, job)
    if (this.#isAwake) return
    this.#isAwake = true
    setImmediate(() => this.#takeTurn())
  }

  /** Ends the job unfinished. Its tickets are the caller's to answer. */
  giveUp(name: string): number[] {
    const job = this.#jobs.get(name)
    this.#jobs.delete(name)
    job?.steps.close()
    return job?.tickets ?? []
  }

  #takeTurn(): void {
    const next = this.#next()
    if (next !== undefined) this.#advance(...next)
    this.#parts.betweenTurns?.()
    this.#isAwake = this.#jobs.size > 0
    if (this.#isAwake) setImmediate(() => this.#takeTurn())
  }

  #next(): [string, Job<P['answer']>] | undefined {
    const [oldest] = this.#jobs
    if (this.#msOfNewJobs >= TURN_MS) return oldest
    for (const entry of this.#jobs) if (entry[1].isNew) return entry
    return oldest
  }

  #advance(name: string, job: Job<P['answer']>): void {
    const { isNew } = job
    const began = performance.now()
    job.isNew = false
    this.#jobs.delete(name)
    if (!this.#isDone(job)) this.#jobs.set(name, job)
    this.#msOfNewJobs = isNew ? this.#msOfNewJobs + performance.now() - began : 0
  }

  #isDone({ steps, tickets }: Job<P['answer']>): boolean {
    const end = performance.now() + TURN_MS
    const [ticket = 0] = tickets
    const { say, heartbeat, failureOf } = this.#parts
    try {
      do {
        if (performance.now() >= end) return false
        heartbeat.beat(ticket)
      } while (!steps.advance())
      const { answer } = steps
      say({ replies: tickets.map((done) => ({ ticket: done, answer })) })
    } catch (error) {
      const failure = failureOf(error)
      say({ replies: tickets.map((done) => ({ ticket: done, failure })) })
    }
    steps.close()
    return true
  }
}
