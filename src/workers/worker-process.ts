// One worker as the primary process sees it: started, told of heads that move, and gone.

import { type ChildProcess, fork } from 'node:child_process'
import type { Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ENTRIES } from '../threads/entries.js'
import type { Finding, FromWorker, ToWorker } from './messages.js'

/** What the worker was told and has not answered yet. */
interface Owed {
  /** Monotonic milliseconds. */
  since: number
  settle: () => void
}

export class WorkerProcess {
  /** True once it could take connections; false when it ended before. */
  readonly ready: Promise<boolean>
  /** When nothing of it runs any more. */
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  /** By round, oldest first. */
  readonly #owed = new Map<number, Owed>()
  #round = 0
  #heardAt = performance.now()

  constructor(start: Extract<ToWorker, { type: 'start' }>, onFinding: (finding: Finding) => void) {
    // Standard output is for the person who started the service.
    this.#child = fork(fileURLToPath(ENTRIES.worker), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    // A failed start or a full pipe shows in how the worker ends.
    this.#child.on('error', () => undefined)
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', resolve)
      // A process that could not be started has no exit.
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

  /** Since when it owes an answer, and when it was heard last; monotonic milliseconds. */
  get silence(): { owingSince: number | undefined; heardAt: number } {
    const [oldest] = this.#owed.values()
    return { owingSince: oldest?.since, heardAt: this.#heardAt }
  }

  /** Hands it the listening socket. */
  listen(server: Server): void {
    this.#tell({ type: 'listen' }, server)
  }

  /** Resolves when the worker looks at these sites anew, or is gone. */
  take(slugs: readonly string[]): Promise<void> {
    const round = ++this.#round
    return new Promise((settle) => {
      this.#owed.set(round, { since: performance.now(), settle })
      this.#tell({ type: 'moved', round, slugs })
    })
  }

  /** Takes no new connections, finishes what is under way, and ends. */
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
    // One that is gone is told nothing; what it owes is settled when it has ended.
    if (this.#child.connected) this.#child.send(message, server, () => undefined)
  }
}
