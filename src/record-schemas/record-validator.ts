// Checks records against their collections' schemas without ever letting one workspace's schema hold up another's:
// two threads, a deadline for each check, at most one check of a workspace at a time, and turns between the workspaces
// that wait. So a hostile workspace keeps one thread busy at most, and the others share the second.

import { ServiceError } from '../model/errors.js'
import { checkSchemaShape, type FieldError, invalidSchema } from './record-schema.js'
import type { Question } from './record-validator-thread.js'
import { type Outcome, ValidationThread } from './validation-thread.js'

export interface RecordValidatorOptions {
  /**
   * Milliseconds for one check, with the schema's compilation. Default 500: on a busy machine of two cores the largest schema
   * that means no harm (1,200 fields in 64 KiB) compiles in 70 to 230.
   */
  deadline?: number
  /** Default 2. */
  threads?: number
  /** Checks of one workspace that may wait. Default 200. */
  queue?: number
}

interface Waiting {
  question: Question
  settle(outcome: Outcome): void
}

export class RecordValidator {
  readonly #deadline: number
  readonly #queue: number
  readonly #threads: readonly ValidationThread[]
  /** By workspace; the one whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #running = new Set<string>()
  #isClosed = false

  constructor(options: RecordValidatorOptions = {}) {
    const deadline = options.deadline ?? 500
    this.#deadline = deadline
    this.#queue = options.queue ?? 200
    this.#threads = Array.from({ length: options.threads ?? 2 }, () => new ValidationThread(deadline))
  }

  /** Throws `invalid_schema` unless records can be checked against it: every bound, the meta-schema, references, patterns. */
  async checkSchema(workspaceId: string, schema: unknown): Promise<void> {
    checkSchemaShape(schema)
    const outcome = await this.#ask(workspaceId, { definition: null, schema, data: undefined })
    if (outcome === 'overrun') {
      throw invalidSchema([{ field: '', message: `takes more than ${this.#deadline} ms to read: simplify it` }])
    }
    readOutcome(outcome)
  }

  /**
   * Returns the faults of the record, at most 20 fields; none for a valid record. The compiled form of the schema is kept under
   * `definitionOid`, which must never name another schema. Throws `invalid_schema` (a schema pushed unchecked), `invalid_record` when the check takes too long,
   * `queue_full` when too many of the workspace's checks wait.
   */
  async validate(
    workspaceId: string,
    definitionOid: string,
    schema: object,
    data: Record<string, unknown>,
  ): Promise<FieldError[]> {
    checkSchemaShape(schema)
    const outcome = await this.#ask(workspaceId, { definition: definitionOid, schema, data })
    if (outcome === 'overrun') {
      throw new ServiceError(
        'invalid_record',
        `Checking this record against its collection's schema takes more than ${this.#deadline} ms: simplify the schema or shorten the record.`,
      )
    }
    return readOutcome(outcome)
  }

  /** Ends the threads; what still waits is refused with `shutting_down`. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const jobs of this.#waiting.values()) for (const job of jobs) job.settle('closed')
    this.#waiting.clear()
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #ask(workspaceId: string, question: Question): Promise<Outcome> {
    return new Promise((settle, refuse) => {
      if (this.#isClosed) return settle('closed')
      const jobs = this.#waiting.get(workspaceId) ?? []
      if (jobs.length >= this.#queue) {
        return refuse(
          new ServiceError('queue_full', 'Too many records of this workspace wait to be checked: try again shortly.'),
        )
      }
      jobs.push({ question, settle })
      this.#waiting.set(workspaceId, jobs)
      this.#dispatch()
    })
  }

  #dispatch(): void {
    for (const thread of this.#threads) {
      const next = thread.isFree ? this.#takeNext() : undefined
      if (next !== undefined) void this.#run(thread, ...next)
    }
  }

  async #run(thread: ValidationThread, workspaceId: string, job: Waiting): Promise<void> {
    this.#running.add(workspaceId)
    const outcome = await thread.ask(job.question)
    this.#running.delete(workspaceId)
    this.#moveToEnd(workspaceId)
    job.settle(outcome)
    this.#dispatch()
  }

  /** From the first workspace in line that has nothing running. */
  #takeNext(): [workspaceId: string, job: Waiting] | undefined {
    for (const [workspaceId, jobs] of this.#waiting) {
      if (this.#running.has(workspaceId)) continue
      const job = jobs.shift()
      if (jobs.length === 0) this.#waiting.delete(workspaceId)
      if (job !== undefined) return [workspaceId, job]
    }
    return undefined
  }

  /** The workspace that was just served comes last in the next round. */
  #moveToEnd(workspaceId: string): void {
    const jobs = this.#waiting.get(workspaceId)
    if (jobs === undefined) return
    this.#waiting.delete(workspaceId)
    this.#waiting.set(workspaceId, jobs)
  }
}

function readOutcome(outcome: Exclude<Outcome, 'overrun'>): FieldError[] {
  if (outcome === 'closed') throw new ServiceError('shutting_down', 'The service is stopping: try again shortly.')
  if ('schemaErrors' in outcome) throw invalidSchema(outcome.schemaErrors)
  return outcome.recordErrors
}
