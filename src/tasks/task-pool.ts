// Runs tasks in a few processes, so that work of one workspace does not delay another's. Each task has a deadline, and no workspace holds
// the last process. The workspace that has waited longest goes first. The number of waiting tasks of a workspace and their waiting time are
// bounded.

import { noteWaits } from '../admission/waits.js'
import { ServiceError } from '../model/errors.js'
import { TaskSlot } from './task-slot.js'
import type { Task, TaskInput, TaskName, TaskOutput, TaskTable } from './task-table.js'
import { Turns } from '../threads/turns.js'

const DEADLINE_MS = 2000
/** Most waiting tasks of one workspace. */
const MAX_WAITING = 200
/** After a longer wait, a client or a proxy has given up and sent the request again. */
const MAX_WAIT_MS = 20_000

export interface TaskPoolOptions {
  /** The module that serves the table's tasks. */
  entry: URL
  /** At least 2: one workspace may use all but one. */
  processes: number
  /** Milliseconds for one task. Default 2,000. */
  deadlineMs?: number
  /** Most tasks of one workspace that may wait. Default 200. */
  maxWaiting?: number
  /** Milliseconds that a task may wait. Default 20,000, or the deadline if that is later. */
  maxWaitMs?: number
}

interface Job {
  task: Task
  resolve: (output: unknown) => void
  reject: (error: unknown) => void
  /** Called when a process takes it. */
  begin: () => void
}

export class TaskPool<T extends TaskTable> {
  readonly #slots: readonly TaskSlot[]
  readonly #turns: Turns<Job>
  /** Number of tasks under way by workspace. */
  readonly #running = new Map<string, number>()
  #closedBy: Error | undefined

  constructor(options: TaskPoolOptions) {
    const { entry, processes, deadlineMs = DEADLINE_MS, maxWaiting = MAX_WAITING } = options
    const { maxWaitMs = Math.max(MAX_WAIT_MS, deadlineMs) } = options
    this.#slots = Array.from({ length: processes }, () => new TaskSlot(entry, deadlineMs, () => this.#dispatch()))
    this.#turns = new Turns(maxWaiting, { maxMs: maxWaitMs, onLate: ({ reject }) => reject(queueFull()) })
  }

  /**
   * Runs a task. Throws its ServiceError; `too_costly` past the deadline or the bound on memory; `queue_full` if too many tasks of the
   * workspace wait, or this one waited too long; `service_busy` if no process can be had; `shutting_down`.
   */
  async run<N extends TaskName<T>>(
    name: N,
    input: TaskInput<T, N>,
    { workspaceId }: { workspaceId: string },
  ): Promise<TaskOutput<T, N>> {
    if (this.#closedBy !== undefined) throw this.#closedBy
    const times: { asked: number; begun?: number } = { asked: performance.now() }
    try {
      return await new Promise((resolve, reject) => {
        const job: Job = {
          task: { name, input },
          begin: () => (times.begun = performance.now()),
          resolve: (output) => resolve(output as TaskOutput<T, N>),
          reject,
        }
        if (this.#turns.add(workspaceId, job)) this.#dispatch()
        else reject(queueFull())
      })
    } finally {
      noteWaits({ tasks: (times.begun ?? performance.now()) - times.asked })
    }
  }

  get figures(): { running: number; waiting: number } {
    let running = 0
    for (const tasks of this.#running.values()) running += tasks
    return { running, waiting: this.#turns.size }
  }

  /** Ends the processes; refuses running and waiting tasks with `shutting_down`. */
  async close(): Promise<void> {
    const reason = new ServiceError('shutting_down', 'The service is stopping: try again shortly.')
    this.#closedBy = reason
    for (const job of this.#turns.clear()) job.reject(reason)
    await Promise.all(this.#slots.map((slot) => slot.close(reason)))
  }

  #dispatch(): void {
    for (const slot of this.#slots) {
      const next = slot.isFree ? this.#turns.take((workspaceId) => this.#mayRun(workspaceId)) : undefined
      if (next !== undefined) void this.#perform(slot, next.workspaceId, next.job)
    }
  }

  #mayRun(workspaceId: string): boolean {
    return (this.#running.get(workspaceId) ?? 0) < this.#slots.length - 1
  }

  async #perform(slot: TaskSlot, workspaceId: string, job: Job): Promise<void> {
    this.#count(workspaceId, 1)
    job.begin()
    try {
      job.resolve(await slot.run(job.task))
    } catch (error) {
      job.reject(error)
    }
    this.#count(workspaceId, -1)
    this.#turns.moveToEnd(workspaceId)
    this.#dispatch()
  }

  #count(workspaceId: string, change: 1 | -1): void {
    const running = (this.#running.get(workspaceId) ?? 0) + change
    if (running === 0) this.#running.delete(workspaceId)
    else this.#running.set(workspaceId, running)
  }
}

function queueFull(): ServiceError {
  return new ServiceError('queue_full', 'Too much work of this workspace waits. Try again in a second.')
}
