// Starts programs. A start blocks its thread while the process is copied, so at most one begins in a turn of the
// event loop.

import type { ChildProcess, ChildProcessByStdio } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { KILLED_FIRST } from '../threads/giving-way.js'
import { MORE_FOR_A_PROGRAM, startAt } from './priority.js'
import type { ProgramEnd } from './start-child.js'

export interface Program {
  command: readonly [string, ...string[]]
  env: NodeJS.ProcessEnv
  /** Default: that of the service. */
  cwd?: string | undefined
  /** Difference of its priority below that of the service (nice(1)). Default 0. */
  niceness?: number
  /** Whether it leads its own process group, which is ended as a whole and gets no signals from a terminal. */
  leadsGroup?: boolean
}

/** A running program. Its streams emit `error` if it reads or prints no more; `close` follows in any case. */
export interface RunningProgram {
  stdin: Writable
  stdout: Readable
  stderr: Readable
  /** Resolves when it has ended, and does not reject. Its output may still be on its way. */
  ended: Promise<ProgramEnd>
  /** Asks it to end; does nothing if it has ended. */
  kill: (signal: 'SIGTERM' | 'SIGKILL') => void
}

let lastTurn: Promise<void> = Promise.resolve()

/**
 * Resolves once the program runs, or could not be started: then `ended` says why. No other program is started in the same turn of the
 * event loop: ten in a row would block all requests meanwhile.
 */
export async function startProgram(program: Program): Promise<RunningProgram> {
  const { command, niceness = 0, env, cwd, leadsGroup = false } = program
  lastTurn = lastTurn.then(() => nextTurn())
  await lastTurn
  const options = { stdio: 'pipe', env, cwd, detached: leadsGroup } as const
  const { child, ended } = startAt(niceness, command, options, MORE_FOR_A_PROGRAM)
  if (child === undefined) return notStarted(ended)
  endFirst(child)
  const { stdin, stdout, stderr, pid } = child as ChildProcessByStdio<Writable, Readable, Readable>
  const kill = (signal: NodeJS.Signals) => {
    // The id of an ended process may belong to another one.
    if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    if (leadsGroup) killGroup(pid, signal)
    else child.kill(signal)
  }
  return { stdin, stdout, stderr, ended, kill }
}

/** Returns a program that prints nothing, and ended before it began. */
function notStarted(ended: Promise<ProgramEnd>): RunningProgram {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  for (const stream of [stdin, stdout, stderr]) stream.destroy()
  return { stdin, stdout, stderr, ended, kill: () => undefined }
}

/** Lets the kernel end the program before the service when memory runs out. Does nothing if the kernel is not Linux. */
function endFirst({ pid }: ChildProcess): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(KILLED_FIRST))
  } catch {
    return
  }
}

/** Sends a signal to a group. Its id is that of the process that began it, and lasts until its last process ends. */
function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    return
  }
}
