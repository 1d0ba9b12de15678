// One task process, seen from the service: its start, its tasks, one at a time, and its end. It is a process and not a thread, because
// nothing ends a thread inside native code, and only the JavaScript heap of a thread can be bounded
// (docs/decisions/0009-task-processes.md).

import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { spawnAt } from '../git/priority.js'
import { ServiceError } from '../model/errors.js'
import { KILLED_FIRST, LONG_WORK_NICENESS } from '../threads/giving-way.js'
import { sendInput } from './task-input.js'
import type { FromTaskProcess, Task, TaskResult } from './task-table.js'
import { tooCostly } from './too-costly.js'

const MAX_HEAP_MEGABYTES = 192
/** Writable memory that a fresh process has reserved, as measured: Node 24 reserves the range of its heap at once. */
const RESERVED_KIBIBYTES = (Number.parseInt(process.versions.node, 10) < 23 ? 80 : 544) * 1024
/** Writable memory that the kernel gives the process (RLIMIT_DATA). */
const MAX_DATA_KIBIBYTES = RESERVED_KIBIBYTES + 304 * 1024
/** CPU time after which the kernel ends the process (RLIMIT_CPU), in case the service is killed during an endless task. */
const MAX_CPU_SECONDS = 120
/** Milliseconds after which a process that is not ready is killed. */
const START_MS = 10_000
/** Share of the deadline: a task with less CPU time than this was slowed down by others. */
const STARVED_SHARE = 3 / 4
const MAX_EXTENSION = 3
/** USER_HZ of proc(5), on every architecture that Node runs on. */
const MS_PER_TICK = 10
const NODE = [
  process.execPath,
  `--max-old-space-size=${MAX_HEAP_MEGABYTES}`,
  '--max-semi-space-size=2',
  '--v8-pool-size=1',
]
/** Sets limits in the shell, which then becomes Node: Node cannot set them. Systems without RLIMIT_DATA, or without /proc, go without. */
const LIMITED = `echo ${KILLED_FIRST} 2>/dev/null >/proc/self/oom_score_adj; ulimit -c 0; ulimit -t ${MAX_CPU_SECONDS}; ulimit -d ${MAX_DATA_KIBIBYTES} 2>/dev/null; exec "$@"`

interface Current {
  resolve(result: TaskResult): void
  reject(error: Error): void
}

export class TaskProcess {
  /** Resolves once it takes tasks; rejects if it ended before. */
  readonly ready: Promise<void>
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  readonly #inputs: Socket
  #current: Current | undefined
  #endedBy: Error | undefined

  constructor(entry: URL) {
    // It works on clients' data, so it gets only the environment that git needs.
    this.#child = spawnAt(LONG_WORK_NICENESS, ['/bin/sh', '-c', LIMITED, 'sh', ...NODE, fileURLToPath(entry)], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
      serialization: 'advanced',
      env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] },
      // The leader of a group, which is killed together: a task may run git.
      detached: true,
    })
    this.#inputs = this.#child.stdio[4] as Socket
    // A killed process reads no more; its end has the reason.
    this.#inputs.on('error', () => undefined).unref()
    const late = setTimeout(() => this.kill(busy(`not ready within ${START_MS} ms`)), START_MS)
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        this.#end(signal === 'SIGKILL' ? busy(signal) : tooCostly(`the process ended with ${signal ?? code}`))
        resolve()
      })
      // A process that could not be started emits no exit event.
      this.#child.on('error', (error) => {
        this.#end(busy(error))
        if (this.#child.pid === undefined) resolve()
      })
    })
    this.ready = new Promise((resolve, reject) => {
      this.#child.on('message', (message: FromTaskProcess) => {
        if (message === 'ready') resolve()
        else this.#settle(message)
      })
      void this.ended.then(() => reject(this.#endedBy))
    })
    void this.ready
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => clearTimeout(late))
  }

  /** Whether it takes no more tasks. */
  get isEnding(): boolean {
    return this.#endedBy !== undefined
  }

  /**
   * Runs a task; the process must be ready and idle. Past the deadline the process is killed; if a busy machine gave it little CPU time,
   * past three times the deadline. Rejects with `too_costly`, with `service_busy` if something else killed it, or with the reason for which
   * it was killed.
   */
  async run(task: Task, deadlineMs: number): Promise<TaskResult> {
    let isOver = false
    const { pid } = this.#child
    const [begun, usedBefore] = [performance.now(), cpuMsOf(pid)]
    const judge = () => {
      if (isOver) return
      const isStarved = cpuMsOf(pid) - usedBefore < deadlineMs * STARVED_SHARE
      if (isStarved && performance.now() - begun < deadlineMs * MAX_EXTENSION) deadline = judgeAfter(deadlineMs / 2)
      else this.kill(tooCostly(`no answer within ${deadlineMs} ms`))
    }
    // A busy service may see the timer before an answer that came in time: one more turn of the loop lets it in.
    const judgeAfter = (ms: number) => setTimeout(() => setImmediate(judge), ms)
    let deadline = judgeAfter(deadlineMs)
    this.#keepAlive(true)
    try {
      return await new Promise((resolve, reject) => {
        this.#current = { resolve, reject }
        const message = { name: task.name, lengths: sendInput(this.#inputs, task.input) }
        this.#child.send(message, (error) => error && this.kill(busy(error)))
      })
    } finally {
      isOver = true
      clearTimeout(deadline)
      this.#keepAlive(false)
    }
  }

  /** Ends the process in any state; a task that is under way rejects with the reason. */
  kill(reason: Error): void {
    const { pid, exitCode, signalCode } = this.#child
    if (pid !== undefined && exitCode === null && signalCode === null) {
      // Keeps the service's process running until the end is reported, for callers that wait for it.
      this.#child.ref()
      process.kill(-pid, 'SIGKILL')
    }
    this.#end(reason)
  }

  #settle(result: TaskResult): void {
    this.#current?.resolve(result)
    this.#current = undefined
  }

  #end(reason: Error): void {
    this.#endedBy ??= reason
    this.#current?.reject(this.#endedBy)
    this.#current = undefined
  }

  #keepAlive(keeps: boolean): void {
    for (const handle of [this.#child, this.#child.channel, this.#inputs]) {
      if (keeps) handle?.ref()
      else handle?.unref()
    }
  }
}

/**
 * Returns the CPU time that the process has used, with the programs that it waited for (proc(5), stat); Infinity if the system does not
 * tell.
 */
function cpuMsOf(pid: number | undefined): number {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')
    const ticks = fields.split(' ').slice(11, 15).map(Number)
    return ticks.reduce((sum, time) => sum + time, 0) * MS_PER_TICK
  } catch {
    return Infinity
  }
}

function busy(cause: unknown): ServiceError {
  return Object.assign(new ServiceError('service_busy', 'The service is too busy for this. Try again in a second.'), {
    cause,
  })
}
