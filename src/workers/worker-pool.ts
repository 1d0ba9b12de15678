// The worker processes, from the primary's side. Promise: when `announce` has resolved, no process serves an older head of
// the site, because each has said that it looks again, or has ended.

import type { Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Address, type Config, socketPathOf } from '../config/config.js'
import type { RequestHandler } from '../host/door.js'
import type { Finding } from './messages.js'
import { openPrimaryDoor } from './primary-door.js'
import { WorkerProcess } from './worker-process.js'

/** A worker that owes an answer for longer is killed: nobody's write waits for it. */
const SILENCE_MS = 200
/** One that was not heard for this long is asked for a sign of life. */
const QUIET_MS = 200
const WATCH_MS = 50
const START_LIMIT_MS = 15_000
/** After a start that failed: the reason is hardly gone at once. */
const RETRY_MS = 1000
/** Past what a worker itself allows the requests under way. */
const STOP_LIMIT_MS = 9000

export interface PrimaryParts {
  config: Config
  address: Address
  /** Listens already; every worker accepts from the same socket. */
  server: Server
  /** Answers the requests that workers forward. */
  handle: RequestHandler
  /** Called with what a worker finds while it reads. */
  onFinding: (finding: Finding) => void
}

export class WorkerPool {
  readonly #logger: Logger
  /** All that run. */
  readonly #workers = new Set<WorkerProcess>()
  /** Those that may hold connections. */
  readonly #serving = new Set<WorkerProcess>()
  #stopping = false
  #moved = new Set<string>()
  #round: Promise<void> | undefined
  #closeDoor: (() => void) | undefined
  #watch: NodeJS.Timeout | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Resolves when there are as many processes as configured; a worker that cannot start is tried again later. */
  async start(parts: PrimaryParts): Promise<void> {
    const { config, handle } = parts
    this.#closeDoor = await openPrimaryDoor(socketPathOf(config.dataDir), handle)
    this.#watch = setInterval(() => this.#findSilent(), WATCH_MS)
    await Promise.all(Array.from({ length: config.workers - 1 }, () => this.#startOne(parts)))
  }

  /** Resolves when each worker looks at the site's head before it serves the site again, or is gone. */
  announce(slug: string): Promise<void> {
    this.#moved.add(slug)
    // The answers to a batch come together: they are one message.
    this.#round ??= nextTurn().then(() => this.#announceMoved())
    return this.#round
  }

  /** Resolves when every worker has finished what is under way and ended. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const worker of this.#workers) worker.stop()
    const cut = setTimeout(() => this.#killAll(), STOP_LIMIT_MS)
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
    const late = setTimeout(() => worker.kill(), START_LIMIT_MS)
    const isReady = await worker.ready
    clearTimeout(late)
    if (isReady) {
      // It has read nothing yet, and is told of every move from here on.
      this.#serving.add(worker)
      worker.listen(server)
    }
    void worker.ended.then(() => {
      this.#workers.delete(worker)
      this.#serving.delete(worker)
      if (this.#stopping) return
      this.#logger.error({ worker: worker.pid }, 'a worker ended: another takes its place')
      setTimeout(() => this.#stopping || void this.#startOne(parts), isReady ? 0 : RETRY_MS).unref()
    })
  }

  #findSilent(): void {
    const now = performance.now()
    for (const worker of this.#serving) {
      const { owingSince, heardAt } = worker.silence
      if (owingSince === undefined) {
        if (now - heardAt > QUIET_MS) void worker.take([])
      } else if (now - owingSince > SILENCE_MS) {
        // Its answer may lie here unread, when it was this process that stood still: what has arrived is read first.
        setImmediate(() => worker.silence.owingSince === owingSince && this.#kill(worker))
      }
    }
  }

  #kill(worker: WorkerProcess): void {
    this.#logger.warn({ worker: worker.pid }, `a worker was silent for ${SILENCE_MS} ms: it is ended`)
    worker.kill()
  }

  #killAll(): void {
    for (const worker of this.#workers) worker.kill()
  }
}
