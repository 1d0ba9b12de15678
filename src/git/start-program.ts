// Starts programs. The thread that starts one stands still while its process is copied, so that at most one begins in a turn of the
// event loop.

import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { KILLED_FIRST } from '../threads/giving-way.js'
import { MORE_FOR_A_PROGRAM, spawnAt } from './priority.js'

export interface Program {
  command: readonly [string, ...string[]]
  env: NodeJS.ProcessEnv
  /** The service's own unless given. */
  cwd?: string | undefined
  /** How much lower than the service's own its priority is (nice(1)); not at all unless given. */
  niceness?: number
  /** It leads a process group of its own, which is ended as a whole, and which no signal of a terminal reaches. */
  leadsGroup?: boolean
}

export interface ProgramEnd {
  /** Null where it was ended by a signal, or did not start. */
  exitCode: number | null
  signal?: string | null
  /** Node's error code, where it did not start, or nobody knows how it ended. */
  code?: string
}

/** A program that runs. Its streams emit `error` where it reads or prints no more; `close` follows in any case. */
export interface RunningProgram {
  stdin: Writable
  stdout: Readable
  stderr: Readable
  /** Resolves when it has ended, and does not reject. What it printed may still be on its way. */
  ended: Promise<ProgramEnd>
  /** Asks it to end; nothing where it has ended. */
  kill: (signal: 'SIGTERM' | 'SIGKILL') => void
}

let lastTurn: Promise<void> = Promise.resolve()

/**
 * Resolves once the program runs, or could not be started: then `ended` says why. No other program is started in the same turn of the
 * event loop: ten in a row are a stretch in which nobody is served.
 */
export async function startProgram(program: Program): Promise<RunningProgram> {
  const { command, niceness = 0, env, cwd, leadsGroup = false } = program
  lastTurn = lastTurn.then(() => nextTurn())
  await lastTurn
  const child = spawnAt(niceness, command, { stdio: 'pipe', env, cwd, detached: leadsGroup }, MORE_FOR_A_PROGRAM)
  endFirst(child)
  const { stdin, stdout, stderr, pid } = child as Partial<typeof child>
  const ended = new Promise<ProgramEnd>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ exitCode: null, code: error.code ?? error.message }),
    )
  })
  const kill = (signal: NodeJS.Signals) => {
    // The number of a process that has ended may be another one's.
    if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    if (leadsGroup) killGroup(pid, signal)
    else child.kill(signal)
  }
  // Where the service has no descriptors left, there are no streams.
  if (stdin == null || stdout == null || stderr == null) return notStarted((await ended).code)
  await new Promise<void>((resolve) => {
    child.once('spawn', resolve)
    void ended.then(() => resolve())
  })
  return { stdin, stdout, stderr, ended, kill }
}

/** A program that prints nothing, and ended before it began. */
function notStarted(code = 'EAGAIN'): RunningProgram {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  for (const stream of [stdin, stdout, stderr]) stream.destroy()
  return { stdin, stdout, stderr, ended: Promise.resolve({ exitCode: null, code }), kill: () => undefined }
}

/** Where memory is used up the kernel ends the program before the service. Nothing where the kernel is not Linux. */
function endFirst({ pid }: ChildProcess): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(KILLED_FIRST))
  } catch {
    return
  }
}

/** The group is named by the process that began it, and goes with the last process in it. */
function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    return
  }
}
