// One worker process, seen from the primary: its start, the messages to it, and its end.

import { type ChildProcess, fork } from 'node:child_process'
import type { Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ENTRIES } from '../threads/entries.js'
import type { Finding, FromWorker, ToWorker } from './messages.js'

/** A message that the worker has not answered yet. */
interface Owed {
  /** Monotonic milliseconds. */
  since: number
  settle: () => void
}

export class WorkerProcess {
  /** True once it can accept connections; false where it ended before. */
  readonly ready: Promise<boolean>
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  /** By round, the oldest first. */
  readonly #owed = new Map<number, Owed>()
  #round = 0
  #heardAt = performance.now()

  constructor(start: Extract<ToWorker, { type: 'start' }>, onFinding: (finding: Finding) => void) {
    // Standard output is for the person who started the service.
    this.#child = fork(fileURLToPath(ENTRIES.worker), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    // A failed start or a full pipe also ends the worker, which is handled below.
    this.#child.on('error', () => undefined)
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', resolve)
      // A process that could not be started emits no exit event.
      this.#child.once('error', () => this.#child.pid === undefined && resolve())
    })
    this.ready = new Promise((resolve) => {
      this.#child.on('message', (message: FromWorker) => {
        this.#heardAt = performance.now()
        if (message.type === 'ready') resolve(true)
        else if (message.type === 'taken') this.#settle(message.round)
        else onFinding(message)
      })
      void this.ended.then(() => {
        resolve(false)
        for (const round of this.#owed.keys()) this.#settle(round)
      })
    })
    this.#tell(start)
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** When the oldest unanswered message was sent, and when the worker was heard last; monotonic milliseconds. */
  get silence(): { owingSince: number | undefined; heardAt: number } {
    const [oldest] = this.#owed.values()
    return { owingSince: oldest?.since, heardAt: this.#heardAt }
  }

  /** Hands it the listening socket. */
  listen(server: Server): void {
    this.#tell({ type: 'listen' }, server)
  }

  /** Resolves once the worker reads these sites again before it serves them, or has ended. */
  take(slugs: readonly string[]): Promise<void> {
    const round = ++this.#round
    return new Promise((settle) => {
      this.#owed.set(round, { since: performance.now(), settle })
      this.#tell({ type: 'moved', round, slugs })
    })
  }

  /** Makes the worker accept no new connections, finish its requests, and end. */
  stop(): void {
    this.#tell({ type: 'stop' })
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #settle(round: number): void {
    const owed = this.#owed.get(round)
    this.#owed.delete(round)
    owed?.settle()
  }

  #tell(message: ToWorker, server?: Server): void {
    // What an ended worker has not answered is settled by `ended`.
    if (this.#child.connected) this.#child.send(message, server, () => undefined)
  }
}
