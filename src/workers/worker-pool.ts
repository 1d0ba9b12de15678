// The worker processes, seen from the primary. Guarantee: once `announce` has resolved, no process serves an older head of
// the site, because each has confirmed that it reads the head again, or has ended.

import type { Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Address } from '../config/address.js'
import { type Config, socketPathOf } from '../config/config.js'
import type { RequestHandler } from '../host/door.js'
import type { Finding } from './messages.js'
import { openPrimaryDoor } from './primary-door.js'
import { WorkerProcess } from './worker-process.js'

/** A worker that leaves a message unanswered for longer is killed, so that no write waits for it. */
const MAX_SILENCE_MS = 200
/** A worker that was not heard for this long is sent an empty message. */
const PING_AFTER_MS = 200
const WATCH_INTERVAL_MS = 50
const MAX_START_MS = 15_000
/** After a failed start: its cause is unlikely to pass at once. */
const RESTART_DELAY_MS = 1000
/** More than a worker grants its running requests. */
const MAX_STOP_MS = 9000

export interface PrimaryParts {
  config: Config
  address: Address
  /** Listening; every worker accepts from the same socket. */
  server: Server
  /** Answers the requests that workers forward. */
  handle: RequestHandler
  /** Called with what a worker finds while it reads. */
  onFinding: (finding: Finding) => void
}

export class WorkerPool {
  readonly #logger: Logger
  /** All running workers. */
  readonly #workers = new Set<WorkerProcess>()
  /** The workers that may hold connections. */
  readonly #serving = new Set<WorkerProcess>()
  #stopping = false
  #moved = new Set<string>()
  #round: Promise<void> | undefined
  #closeDoor: (() => void) | undefined
  #watch: NodeJS.Timeout | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Resolves once each worker is ready or has failed; a failed one is started again later. */
  async start(parts: PrimaryParts): Promise<void> {
    const { config, handle } = parts
    this.#closeDoor = await openPrimaryDoor(socketPathOf(config.dataDir), handle)
    this.#watch = setInterval(() => this.#findSilent(), WATCH_INTERVAL_MS)
    await Promise.all(Array.from({ length: config.workers - 1 }, () => this.#startOne(parts)))
  }

  /** Resolves once each worker reads the site's head again before it serves the site, or has ended. */
  announce(slug: string): Promise<void> {
    this.#moved.add(slug)
    // The writes of a batch end together and are announced in one message.
    this.#round ??= nextTurn().then(() => this.#announceMoved())
    return this.#round
  }

  /** Resolves once every worker has finished its requests and ended. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const worker of this.#workers) worker.stop()
    const cut = setTimeout(() => this.#killAll(), MAX_STOP_MS)
    await Promise.all(Array.from(this.#workers, ({ ended }) => ended))
    clearTimeout(cut)
    clearInterval(this.#watch)
    this.#closeDoor?.()
  }

  async #announceMoved(): Promise<void> {
    const slugs = [...this.#moved]
    this.#moved = new Set()
    this.#round = undefined
    await Promise.all(Array.from(this.#serving, (worker) => worker.take(slugs)))
  }

  async #startOne(parts: PrimaryParts): Promise<void> {
    const { config, address, server, onFinding } = parts
    const socketPath = socketPathOf(config.dataDir)
    const worker = new WorkerProcess({ type: 'start', config, address, socketPath }, onFinding)
    this.#workers.add(worker)
    const late = setTimeout(() => worker.kill(), MAX_START_MS)
    const isReady = await worker.ready
    clearTimeout(late)
    if (isReady) {
      // The worker has read nothing yet and is told of every change from here on.
      this.#serving.add(worker)
      worker.listen(server)
    }
    void worker.ended.then(() => {
      this.#workers.delete(worker)
      this.#serving.delete(worker)
      if (this.#stopping) return
      this.#logger.error({ worker: worker.pid }, 'a worker ended and is replaced')
      setTimeout(() => this.#stopping || void this.#startOne(parts), isReady ? 0 : RESTART_DELAY_MS).unref()
    })
  }

  #findSilent(): void {
    const now = performance.now()
    for (const worker of this.#serving) {
      const { owingSince, heardAt } = worker.silence
      if (owingSince === undefined) {
        if (now - heardAt > PING_AFTER_MS) void worker.take([])
      } else if (now - owingSince > MAX_SILENCE_MS) {
        // If this process was the one that stalled, the answer may have arrived unread: read it first.
        setImmediate(() => worker.silence.owingSince === owingSince && this.#kill(worker))
      }
    }
  }

  #kill(worker: WorkerProcess): void {
    this.#logger.warn({ worker: worker.pid }, `a worker was silent for ${MAX_SILENCE_MS} ms: it is killed`)
    worker.kill()
  }

  #killAll(): void {
    for (const worker of this.#workers) worker.kill()
  }
}
