// Runs tasks in a few processes, so that work of one workspace does not delay another's. Each task has a deadline. A gate decides whose
// task is next, and bounds how many of a workspace wait and for how long.

import { Gate } from '../admission/gate.js'
import { GATES } from '../admission/gate-rows.js'
import { ServiceError } from '../model/errors.js'
import { TaskSlot } from './task-slot.js'
import type { Task, TaskInput, TaskName, TaskOutput, TaskTable } from './task-table.js'

const DEADLINE_MS = 2000
const START_MS = 10_000

export interface TaskPoolOptions {
  /** The module that serves the table's tasks. */
  entry: URL
  /** At least 2: one workspace may use all but one. */
  processes: number
  /** Milliseconds for one task. Default 2,000. */
  deadlineMs?: number
  /** Milliseconds for the start of a process. Default 10,000. */
  startMs?: number
  /** Has as many places as there are processes. Default: a gate by the row `tasks`. */
  gate?: Gate
}

export class TaskPool<T extends TaskTable> {
  readonly #slots: readonly TaskSlot[]
  readonly #gate: Gate
  #closedBy: ServiceError | undefined

  constructor({ entry, processes, deadlineMs = DEADLINE_MS, startMs = START_MS, gate }: TaskPoolOptions) {
    this.#slots = Array.from({ length: processes }, () => new TaskSlot(entry, { deadlineMs, startMs }))
    this.#gate = gate ?? new Gate({ ...GATES.tasks, atOnce: processes, each: processes - 1 })
  }

  /**
   * Runs a task. Throws its ServiceError, `too_costly` past the deadline or the bound on memory, and `shutting_down`. Throws `queue_full`
   * if too many tasks of the workspace wait, or this one waited too long. Throws `service_busy` if no process, or little processor time, can be had.
   */
  async run<N extends TaskName<T>>(
    name: N,
    input: TaskInput<T, N>,
    { workspaceId }: { workspaceId: string },
  ): Promise<TaskOutput<T, N>> {
    if (this.#closedBy !== undefined) throw this.#closedBy
    return (await this.#gate.during(workspaceId, () => this.#perform({ name, input }))) as TaskOutput<T, N>
  }

  /** Ends the processes; refuses running and waiting tasks with `shutting_down`. */
  async close(): Promise<void> {
    const reason = new ServiceError('shutting_down', 'The service is stopping: try again shortly.')
    this.#closedBy = reason
    this.#gate.clear(reason)
    await Promise.all(this.#slots.map((slot) => slot.close(reason)))
  }

  async #perform(task: Task): Promise<unknown> {
    const slot = this.#slots.find(({ isReady }) => isReady) ?? this.#slots.find(({ isFree }) => isFree)
    if (slot === undefined) throw new Error('the gate let in more tasks than there are processes')
    return await slot.run(task)
  }
}
