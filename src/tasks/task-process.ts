// One task process, seen from the service: its start, its tasks, one at a time, and its end. A thread would not do: nothing ends it inside
// native code, and only its JavaScript heap can be bounded (docs/decisions/0009-task-processes.md).

import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startAt } from '../git/priority.js'
import { ServiceError } from '../model/errors.js'
import { KILLED_FIRST, LONG_WORK_NICENESS } from '../threads/giving-way.js'
import { watchDeadline } from './deadline.js'
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
  /** Undefined if it could not be started. */
  readonly #running: { child: ChildProcess; inputs: Socket } | undefined
  #isReady = false
  #current: Current | undefined
  #endedBy: Error | undefined

  /** A process that is not ready within `startMs` is killed; if a busy machine gave it little processor time, within three times that. */
  constructor(entry: URL, startMs: number) {
    const command = ['/bin/sh', '-c', LIMITED, 'sh', ...NODE, fileURLToPath(entry)] as const
    const { child, ended } = startAt(LONG_WORK_NICENESS, command, {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
      serialization: 'advanced',
      // It works on clients' data, so it gets only the environment that git needs.
      env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] },
      // The leader of a group, which is killed together: a task may run git.
      detached: true,
    })
    this.#running = child && { child, inputs: child.stdio[4] as Socket }
    // A killed process reads no more; its end has the reason.
    this.#running?.inputs.on('error', () => undefined).unref()
    const stopWatch = watchDeadline(child?.pid, startMs, () => this.kill(busy(`not ready within ${startMs} ms`)))
    this.ended = ended.then(({ exitCode, signal, code }) => {
      stopWatch()
      const cause = `the process ended with ${code ?? signal ?? exitCode}`
      // Without a task, it was not the task that ended it.
      const isOfTask = this.#isReady && code === undefined && signal !== 'SIGKILL'
      this.#end(isOfTask ? tooCostly(cause) : busy(cause))
    })
    this.ready = new Promise((resolve, reject) => {
      child?.on('message', (message: FromTaskProcess) => {
        if (message !== 'ready') return this.#settle(message)
        stopWatch()
        this.#isReady = true
        resolve()
      })
      void this.ended.then(() => reject(this.#endedBy))
    })
    // Its waiters hear of the reason.
    this.ready.catch(() => undefined)
  }

  /** Whether it has started, and takes tasks. */
  get isReady(): boolean {
    return this.#isReady && !this.isEnding
  }

  /** Whether it takes no more tasks. */
  get isEnding(): boolean {
    return this.#endedBy !== undefined
  }

  /**
   * Runs a task once the process is ready; it must be idle. Past the deadline the process is killed, and the task is `too_costly`. If a busy
   * machine gave it little processor time, that happens past three times the deadline, and the task is not to blame: `service_busy`. So it
   * is if the process could not start, or something else killed it. A reason for which it was killed is passed on.
   */
  async run(task: Task, deadlineMs: number): Promise<TaskResult> {
    await this.ready
    if (this.#running === undefined) throw busy('the process did not start')
    const { child, inputs } = this.#running
    const stopWatch = watchDeadline(child.pid, deadlineMs, (why) => {
      const cause = `no answer within ${deadlineMs} ms`
      this.kill(why === 'starved' ? busy(cause) : tooCostly(cause))
    })
    this.#keepAlive(true)
    try {
      return await new Promise((resolve, reject) => {
        this.#current = { resolve, reject }
        const message = { name: task.name, lengths: sendInput(inputs, task.input) }
        child.send(message, (error) => error && this.kill(busy(error)))
      })
    } finally {
      stopWatch()
      this.#keepAlive(false)
    }
  }

  /** Ends the process in any state; a task that is under way rejects with the reason. */
  kill(reason: Error): void {
    const { child } = this.#running ?? {}
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      // Keeps the service's process running until the end is reported, for callers that wait for it.
      child.ref()
      process.kill(-child.pid, 'SIGKILL')
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
    const { child, inputs } = this.#running ?? {}
    for (const handle of [child, child?.channel, inputs]) {
      if (keeps) handle?.ref()
      else handle?.unref()
    }
  }
}

function busy(cause: unknown): ServiceError {
  return Object.assign(new ServiceError('service_busy', 'The service is too busy for this. Try again in a second.'), {
    cause,
  })
}
