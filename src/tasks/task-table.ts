// A table of tasks, and the messages between the service and the processes that do them.

import type { Failure } from '../threads/messages.js'
import type { InputLengths } from './task-input.js'

/** Functions by the name of their task. Inputs and outputs are plain values, as the structured clone algorithm copies them. */
export type TaskTable = Readonly<Record<string, (input: never) => unknown>>

export type TaskName<T extends TaskTable> = keyof T & string
export type TaskInput<T extends TaskTable, N extends TaskName<T>> = Parameters<T[N]>[0]
export type TaskOutput<T extends TaskTable, N extends TaskName<T>> = Awaited<ReturnType<T[N]>>

export interface Task {
  name: string
  input: unknown
}

/** The message to a task process about a task; the input comes through a pipe. */
export interface ToTaskProcess {
  name: string
  lengths: InputLengths
}

export type TaskResult = ({ output: unknown } | { failure: Failure }) & {
  /** Whether the process has used so much CPU time that it must be replaced. */
  isWorn: boolean
}

export type FromTaskProcess = 'ready' | TaskResult
