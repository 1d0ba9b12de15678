// A node as the fault program sees it: `palimpsest serve` with a database, which is asked over HTTP, frozen, killed and started again.

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runPalimpsest, serve, type ServeProcess } from '../../scenarios/serve-process.js'

/** A client that hears nothing for so long does not know what became of its request. */
const PATIENCE_MS = 10_000

export interface Answered {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- each caller says what it expects of it
  body: any
}

export class FaultNode {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-node-'))
  readonly #env: Record<string, string>
  #process: ServeProcess | undefined

  constructor(databaseUrl: string, env: Record<string, string> = {}) {
    this.#env = { DATABASE_URL: databaseUrl, WRITER_THREADS: '1', LOG_LEVEL: 'silent', ...env }
  }

  /** Resolves once it is ready. */
  async start(): Promise<void> {
    this.#process = await serve({ dataDir: this.dataDir, env: this.#env })
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
    if (this.#process === undefined) throw new Error('the node is gone')
    return this.#process.origin
  }

  /** Rejects where it does not answer. */
  async ask(key: string, method: string, path: string, body?: object, fields: object = {}): Promise<Answered> {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...fields }
    const response = await fetch(`${this.origin}/api/v1${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }

  async kill(): Promise<void> {
    this.#process?.signal('SIGKILL')
    await this.#process?.ended
    this.#process = undefined
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
      if (name.endsWith('.git')) rmSync(join(this.dataDir, name), { recursive: true, force: true })
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}
