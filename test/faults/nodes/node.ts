// A node as the fault program sees it: `palimpsest serve` with a database, which is asked over HTTP, frozen, cut off, killed and started
// again.

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { requestAs } from '../../nodes/services/request-as.js'
import type { Proxy } from '../../nodes/postgres/proxy.js'
import { runPalimpsest, serve, type ServeProcess } from '../../scenarios/serve-process.js'

/** A client that hears nothing for so long does not know what became of its request. */
const PATIENCE_MS = 10_000
const STARTS = 5

export interface Answered {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- each caller says what it expects of it
  body: any
}

export interface FaultNodeParts {
  databaseUrl: string
  /** The node's own way to the primary, which can be cut. */
  way: Proxy
  /** A folder on its own disk, if given. */
  dataDir?: string | undefined
  env?: Record<string, string>
  /** The command line of another build. */
  main?: string
}

export class FaultNode {
  readonly dataDir: string
  readonly way: Proxy
  readonly #env: Record<string, string>
  #main: string | undefined
  #process: ServeProcess | undefined

  constructor({ databaseUrl, way, dataDir, env, main }: FaultNodeParts) {
    this.dataDir = dataDir ?? mkdtempSync(join(tmpdir(), 'palimpsest-node-'))
    this.way = way
    this.#env = { DATABASE_URL: databaseUrl, WRITER_THREADS: '1', LOG_LEVEL: 'silent', ...env }
    this.#main = main
  }

  /** Resolves once it is ready. Started again where it ends before, as a supervisor does: without PostgreSQL a start fails. */
  async start(): Promise<void> {
    const main = this.#main === undefined ? {} : { main: this.#main }
    for (let starts = 1; this.#process === undefined; starts++)
      this.#process = await serve({ dataDir: this.dataDir, env: this.#env, ...main }).catch((error: unknown) => {
        if (starts === STARTS) throw error
        return undefined
      })
  }

  /** The next start is of this build. */
  becomes(main: string): void {
    this.#main = main
  }

  async makeKey(): Promise<string> {
    const made = await runPalimpsest({ DATA_DIR: this.dataDir, ...this.#env }, 'keys', 'create', '--scopes', 'admin')
    if (made.code !== 0) throw new Error(made.stderr)
    return made.stdout.trim()
  }

  /** Has it sign as another node does. It must not run. */
  signAs(other: FaultNode): void {
    cpSync(join(other.dataDir, 'signing'), join(this.dataDir, 'signing'), { recursive: true })
  }

  get origin(): string {
    if (this.#process === undefined) throw new NodeGone()
    return this.#process.origin
  }

  /** Rejects where it does not answer. */
  async ask(key: string, method: string, path: string, body?: object | string, fields: object = {}): Promise<Answered> {
    const type = typeof body === 'string' ? 'text/html' : 'application/json'
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': type, ...fields }
    const response = await fetch(`${this.origin}/api/v1${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }

  /** Visits a hosted page. */
  async visit(slug: string, path: string): Promise<{ status: number; text: string }> {
    if (this.#process === undefined) throw new NodeGone()
    const { port } = this.#process
    return await requestAs(port, { path, host: `${slug}.localhost:${port}` })
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  async freeze(milliseconds: number): Promise<void> {
    this.#process?.signal('SIGSTOP')
    await pause(milliseconds)
    this.#process?.signal('SIGCONT')
  }

  gitdir(slug: string): string {
    return join(this.dataDir, `${slug}.git`)
  }

  /** Takes all repositories that it holds on its disk. */
  wipe(): void {
    for (const name of readdirSync(this.dataDir))
      if (name.endsWith('.git')) rmSync(join(this.dataDir, name), { recursive: true, force: true, maxRetries: 10 })
  }

  async remove(): Promise<void> {
    await this.kill()
    await this.way.stop()
    // A program of git that it started may outlive it by a moment.
    for (const name of readdirSync(this.dataDir))
      rmSync(join(this.dataDir, name), { recursive: true, force: true, maxRetries: 10 })
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const ending = this.#process
    this.#process = undefined
    ending?.signal(signal)
    await ending?.ended
  }
}

/** Nothing was sent: the node does not run. */
export class NodeGone extends Error {
  override name = 'NodeGone'

  constructor() {
    super('the node does not run')
  }
}
