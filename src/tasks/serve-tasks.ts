// Runs in a task process: does one task after the other. The process may be killed at any moment.

import { ServiceError } from '../model/errors.js'
import { failureOf } from '../threads/messages.js'
import { isOutOfRoom, tooCostly } from './too-costly.js'
import { type InputLengths, readInput } from './task-input.js'
import type { FromTaskProcess, TaskResult, TaskTable, ToTaskProcess } from './task-table.js'

/** CPU time after which a process is replaced between two tasks. */
const WORN_CPU_MICROSECONDS = 60e6

/** Does the tasks that the service sends, until the service ends. */
export function serveTasks(table: TaskTable): void {
  process.on('message', (task: ToTaskProcess) => void perform(table, task).then(tell))
  tell('ready')
}

async function perform(table: TaskTable, { name, lengths }: ToTaskProcess): Promise<TaskResult> {
  const result = await attempt(table, name, lengths)
  const { user, system } = process.cpuUsage()
  return { ...result, isWorn: user + system > WORN_CPU_MICROSECONDS }
}

async function attempt(table: TaskTable, name: string, lengths: InputLengths) {
  try {
    return { output: await table[name]?.(readInput(lengths) as never) }
  } catch (error) {
    if (error instanceof ServiceError) return { failure: failureOf(error) }
    if (isOutOfRoom(error)) return { failure: failureOf(tooCostly(error)) }
    return { failure: failureOf(Object.assign(new ServiceError('internal', `${name} failed.`), { cause: error })) }
  }
}

function tell(message: FromTaskProcess): void {
  process.send?.(message)
}
