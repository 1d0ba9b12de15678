// A place for one task process: starts one for the first task, replaces one that ended, and ends one that idles.

import { fromFailure } from '../threads/messages.js'
import { TaskProcess } from './task-process.js'
import type { Task } from './task-table.js'

/** An idle process takes some 28 MB of its own; starting one takes some 120 ms of CPU time. */
const IDLE_MS = 60_000

export interface TaskLimits {
  /** Milliseconds for one task, without the start of a process. */
  deadlineMs: number
  /** Milliseconds for the start of a process. */
  startMs: number
}

export class TaskSlot {
  readonly #entry: URL
  readonly #limits: TaskLimits
  #process: TaskProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #isRunning = false
  #closedBy: Error | undefined

  constructor(entry: URL, limits: TaskLimits) {
    this.#entry = entry
    this.#limits = limits
  }

  /** False while a task is under way. */
  get isFree(): boolean {
    return !this.#isRunning
  }

  /** Whether a process is there that takes a task at once. */
  get isReady(): boolean {
    return this.isFree && this.#process?.isReady === true
  }

  /** Runs a task, once a killed process is gone; the slot must be free. Rejects with the task's own ServiceError, with `too_costly`, or with `service_busy`. */
  async run(task: Task): Promise<unknown> {
    clearTimeout(this.#idle)
    this.#isRunning = true
    try {
      if (this.#process?.isEnding === true) await this.#process.ended
      if (this.#closedBy !== undefined) throw this.#closedBy
      const process = (this.#process ??= this.#start())
      const { isWorn, ...result } = await process.run(task, this.#limits.deadlineMs)
      if (isWorn) process.kill(new Error('worn'))
      else this.#idle = setTimeout(() => process.kill(new Error('idle')), IDLE_MS).unref()
      if ('failure' in result) throw fromFailure(result.failure)
      return result.output
    } finally {
      this.#isRunning = false
    }
  }

  /** Ends the process; a task under way rejects with the reason. Resolves when the process is gone. */
  async close(reason: Error): Promise<void> {
    this.#closedBy = reason
    clearTimeout(this.#idle)
    this.#process?.kill(reason)
    await this.#process?.ended
  }

  #start(): TaskProcess {
    const process = new TaskProcess(this.#entry, this.#limits.startMs)
    void process.ended.then(() => {
      this.#process = undefined
    })
    return process
  }
}
