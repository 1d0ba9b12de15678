// One worker process, seen from the primary: its start, the messages to it, and its end.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { LEASE_MS, LEASE_OVER_MS } from '../model/lease.js'
import { ENTRIES } from '../threads/entries.js'
import type { Finding, FromWorker, Looked, ToWorker } from './messages.js'

/** A message that the worker has not answered yet. */
interface Owed {
  /** Monotonic milliseconds. */
  since: number
  settle: () => void
}

export interface WorkerEvents {
  onFinding: (finding: Finding) => void
  /** The worker has left a message unanswered for the length of its lease: it is frozen or busy. */
  onSilence: () => void
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
  /** By round, the oldest first. */
  readonly #owed = new Map<number, Owed>()
  #round = 0
  #isSilent = false
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
    void this.ended.then(() => {
      for (const round of this.#owed.keys()) this.#settle(round)
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

  /**
   * Resolves once the worker serves nothing of these sites that it read before: it has confirmed that it reads them again,
   * its lease has run out, or it has ended. A worker that is silent is sent nothing more until it answers.
   */
  take(slugs: readonly string[]): Promise<void> {
    const now = performance.now()
    this.#noticeSilence(now)
    const round = ++this.#round
    return new Promise((resolve) => {
      const leaseIsOver = setTimeout(resolve, LEASE_OVER_MS)
      if (this.#isSilent) return
      const settle = () => {
        clearTimeout(leaseIsOver)
        resolve()
      }
      this.#owed.set(round, { since: now, settle })
      this.#tell({ type: 'changed', round, slugs })
    })
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
      case 'taken':
        return this.#settle(message.round)
      default:
        return this.#events.onFinding(message)
    }
  }

  #noticeSilence(now: number): void {
    const [oldest] = this.#owed.values()
    const wasSilent = this.#isSilent
    this.#isSilent = oldest !== undefined && now - oldest.since > LEASE_MS
    if (this.#isSilent && !wasSilent) this.#events.onSilence()
  }

  #settle(round: number): void {
    const owed = this.#owed.get(round)
    this.#owed.delete(round)
    owed?.settle()
  }

  #tell(message: ToWorker): void {
    // Those who wait for a worker that has ended are settled by `ended`.
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }
}
