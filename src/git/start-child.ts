// Starts child processes for all that starts one. A child that could not be started may have no streams, so only one that runs is handed out.

import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/** More than a start takes: a pair for each of its streams, and a pair of Node's own. */
const NEEDED_DESCRIPTORS = 12

export interface ProgramEnd {
  /** Null if it was ended by a signal, or did not start. */
  exitCode: number | null
  signal?: string | null
  /** Node's error code, if it did not start. */
  code?: string
}

export interface StartedChild {
  /** Undefined if it did not start: there is no such program, or the system has no descriptors or processes left. */
  child: ChildProcess | undefined
  /** Resolves when it has ended, or with the reason why it did not start. Does not reject. */
  ended: Promise<ProgramEnd>
}

/** Starts a program. Never throws. */
export function startChild([program, ...args]: readonly [string, ...string[]], options: SpawnOptions): StartedChild {
  try {
    assertDescriptors()
    const child = spawn(program, args, options)
    const ended = new Promise<ProgramEnd>((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
      // A child that runs also emits errors, such as one of a message to it, and its end follows.
      child.on('error', (error) => child.pid === undefined && resolve(notStarted(error)))
    })
    return { child: child.pid === undefined ? undefined : child, ended }
  } catch (error) {
    return { child: undefined, ended: Promise.resolve(notStarted(error)) }
  }
}

/** Throws EMFILE if too few descriptors are free. If a start runs out of them halfway, Node never closes those it has taken. */
function assertDescriptors(): void {
  const taken: number[] = []
  try {
    while (taken.length < NEEDED_DESCRIPTORS) taken.push(openSync(devNull, 'r'))
  } finally {
    for (const fd of taken) closeSync(fd)
  }
}

function notStarted(error: unknown): ProgramEnd {
  const { code, message } = error as NodeJS.ErrnoException
  return { exitCode: null, code: code ?? message }
}
