// The worker processes, seen from the primary: they accept all connections, and each that ends is replaced.

import { rmSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Address } from '../config/address.js'
import type { Config } from '../config/config.js'
import { socketPathOf } from '../config/sockets.js'
import { openInnerServer } from '../forwarding/inner-server.js'
import type { RequestHandler } from '../host/door.js'
import type { BoundPort } from '../http/server/bound-port.js'
import type { Finding, Looked } from './messages.js'
import { WorkerProcess } from './worker-process.js'

const MAX_START_MS = 30_000
/** A worker that ends sooner after its start is replaced later and later, so that a lasting fault does not use up the machine. */
const STEADY_AFTER_MS = 60_000
const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 30_000
/** More than a worker grants its running requests. */
const MAX_STOP_MS = 9000

const NOTHING_KNOWN: Looked = { isCurrent: false, mayBeOld: false, refused: [], time: 0 }

export interface PrimaryParts {
  config: Config
  address: Address
  /** Answers the requests that workers forward. */
  handle: RequestHandler
  /** Called with what a worker finds while it reads. */
  onFinding: (finding: Finding) => void
  /** On a node: brings what has changed anywhere to this machine. It does not reject. */
  look: (() => Promise<Looked>) | undefined
}

export class WorkerPool {
  readonly #logger: Logger
  readonly #port: BoundPort
  /** All running workers. */
  readonly #workers = new Set<WorkerProcess>()
  #parts: PrimaryParts | undefined
  #delay = 0
  #isStopping = false
  #closeDoor: (() => void) | undefined

  /** Starts the processes, which load while the caller opens the data directory. */
  constructor(port: BoundPort, count: number, logger: Logger) {
    this.#logger = logger
    this.#port = port
    for (let number = 0; number < count; number++) this.#fork(number)
  }

  /** Resolves once each worker accepts connections. Rejects where one cannot. */
  async start(parts: PrimaryParts): Promise<void> {
    this.#parts = parts
    const { handle, config } = parts
    const path = socketPathOf(config.dataDir)
    // The data directory is locked, so a socket that is there is left over.
    rmSync(path, { force: true })
    const door = await openInnerServer({ at: { path }, handle })
    this.#closeDoor = () => {
      door.close()
      door.closeAllConnections()
    }
    await Promise.all(Array.from(this.#workers, (worker) => this.#serve(worker, parts)))
    for (const worker of this.#workers) this.#replaceAtEnd(worker)
  }

  /** Resolves once every worker has finished its requests and ended. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#port.close()
    for (const worker of this.#workers) worker.stop()
    const cut = setTimeout(() => this.#killAll(), MAX_STOP_MS)
    await Promise.all(Array.from(this.#workers, ({ ended }) => ended))
    clearTimeout(cut)
    this.#closeDoor?.()
  }

  #fork(number: number): WorkerProcess {
    const worker = new WorkerProcess(number, this.#port.fd, {
      onFinding: (finding) => this.#parts?.onFinding(finding),
      look: async () => (await this.#parts?.look?.()) ?? NOTHING_KNOWN,
    })
    this.#workers.add(worker)
    void worker.ended.then(() => this.#workers.delete(worker))
    return worker
  }

  async #serve(worker: WorkerProcess, { config, address }: PrimaryParts): Promise<void> {
    const late = setTimeout(() => worker.kill(), MAX_START_MS)
    try {
      await worker.start({
        type: 'start',
        number: worker.number,
        config,
        address,
        socketPath: socketPathOf(config.dataDir),
      })
      await worker.listen()
    } finally {
      clearTimeout(late)
    }
  }

  #replaceAtEnd(worker: WorkerProcess): void {
    void worker.ended.then((how) => {
      if (this.#isStopping) return
      const isSteady = performance.now() - worker.startedAt > STEADY_AFTER_MS
      const delay = isSteady ? 0 : this.#delay
      this.#delay = isSteady ? 0 : Math.min(Math.max(2 * this.#delay, FIRST_DELAY_MS), MAX_DELAY_MS)
      this.#logger.error({ worker: worker.pid, how }, `a worker ended: it is replaced in ${delay} ms`)
      setTimeout(() => this.#isStopping || this.#replace(worker.number), delay).unref()
    })
  }

  #replace(number: number): void {
    const worker = this.#fork(number)
    this.#replaceAtEnd(worker)
    if (this.#parts === undefined) return
    this.#serve(worker, this.#parts).catch((error: unknown) => {
      this.#logger.error({ worker: worker.pid, err: error }, 'a worker cannot serve')
      worker.kill()
    })
  }

  #killAll(): void {
    for (const worker of this.#workers) worker.kill()
  }
}
