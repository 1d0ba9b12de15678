// One worker process, seen from the primary: its start, the messages to it, and its end.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ENTRIES } from '../threads/entries.js'
import type { Finding, FromWorker, Looked, ToWorker } from './messages.js'

export interface WorkerEvents {
  onFinding: (finding: Finding) => void
  /** On a node: brings what has changed here. It must not reject. */
  look: () => Promise<Looked>
}

export class WorkerProcess {
  /** Resolves when the process has ended, with how it did. */
  readonly ended: Promise<string>
  readonly startedAt = performance.now()
  readonly number: number
  readonly #events: WorkerEvents
  readonly #child: ChildProcess
  #ready: (() => void) | undefined
  #listening: (() => void) | undefined
  #failure: Error | undefined

  /** Starts the process, which inherits the descriptor of the bound port. No two that run have the same number. */
  constructor(number: number, portFd: number, events: WorkerEvents) {
    this.number = number
    this.#events = events
    // Standard output is for the person who started the service.
    this.#child = fork(fileURLToPath(ENTRIES.worker), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc', portFd] })
    this.#child.on('message', (message: FromWorker) => this.#hear(message))
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => resolve(`ended with ${signal ?? code}`))
      // A full pipe also ends the worker. A process that could not be started emits no exit event.
      this.#child.on('error', (error) => this.#child.pid === undefined && resolve(error.message))
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Resolves when it is ready to accept connections, and reads nothing before. Rejects with the reason why it cannot. */
  start(start: Extract<ToWorker, { type: 'start' }>): Promise<void> {
    return this.#untilHeard((heard) => (this.#ready = heard), start)
  }

  /** Resolves when it accepts connections. Rejects with the reason why it cannot. */
  listen(): Promise<void> {
    return this.#untilHeard((heard) => (this.#listening = heard), { type: 'listen' })
  }

  /** Makes the worker accept no new connections, finish its requests, and end. */
  stop(): void {
    this.#tell({ type: 'stop' })
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #untilHeard(expect: (heard: () => void) => void, message: ToWorker): Promise<void> {
    return new Promise((resolve, reject) => {
      expect(resolve)
      void this.ended.then((how) => reject(this.#failure ?? new Error(`A worker ${how} before it could serve.`)))
      this.#tell(message)
    })
  }

  #hear(message: FromWorker): void {
    switch (message.type) {
      case 'ready':
        return this.#ready?.()
      case 'listening':
        return this.#listening?.()
      case 'failed':
        this.#failure = Object.assign(new Error(message.message), { syscall: message.syscall })
        return
      case 'look':
        return void this.#events.look().then((looked) => this.#tell({ type: 'looked', round: message.round, looked }))
      default:
        return this.#events.onFinding(message)
    }
  }

  #tell(message: ToWorker): void {
    // Whoever waits for a worker that has ended hears of it by `ended`.
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }
}
