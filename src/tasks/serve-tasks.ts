// The side of a task process: does one task after the other. The process may be killed at any moment.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { ServiceError } from '../model/errors.js'
import { failureOf } from '../threads/messages.js'
import { isOutOfRoom, tooCostly } from './too-costly.js'
import { readFrame, writeFrame } from './task-frames.js'
import type { FromTaskProcess, Task, TaskResult, TaskTable } from './task-table.js'

const TASKS_FD = 0
/** Its standard output goes nowhere: what a library prints is no result. */
const RESULTS_FD = 3
/** After this a process is replaced between two tasks. */
const WORN_CPU_MICROSECONDS = 60e6

/** Does the tasks that the service sends, until the service ends. */
export async function serveTasks(table: TaskTable): Promise<void> {
  tell('ready')
  for (;;) {
    const task = readFrame(TASKS_FD)
    if (task === undefined) process.exit()
    tell(await perform(table, task.value as Task))
    // What the task left behind it, such as streams that close, has its turn before this waits for the next one.
    await nextTurn()
  }
}

async function perform(table: TaskTable, task: Task): Promise<TaskResult> {
  const result = await attempt(table, task)
  const { user, system } = process.cpuUsage()
  return { ...result, isWorn: user + system > WORN_CPU_MICROSECONDS }
}

async function attempt(table: TaskTable, { name, input }: Task) {
  try {
    return { output: await table[name]?.(input as never) }
  } catch (error) {
    if (error instanceof ServiceError) return { failure: failureOf(error) }
    if (isOutOfRoom(error)) return { failure: failureOf(tooCostly(error)) }
    return { failure: failureOf(Object.assign(new ServiceError('internal', `${name} failed.`), { cause: error })) }
  }
}

function tell(message: FromTaskProcess): void {
  writeFrame(RESULTS_FD, message)
}
