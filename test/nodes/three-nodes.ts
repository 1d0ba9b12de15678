// Three nodes as processes of their own, which reach one another, and a client that sends each request to the next of them.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { homeOf } from '../../src/nodes/homes.js'
import { endProcesses, runPalimpsest, serve, type ServeProcess } from '../scenarios/serve-process.js'
import { freePort } from '../servers/ports.js'
import { type Answer, requestAs, type Wish } from './request-as.js'

export interface TestNode extends ServeProcess {
  /** Where the other nodes reach it. */
  address: string
  dataDir: string
}

export class ThreeNodes {
  readonly nodes: TestNode[] = []
  key = ''
  readonly #folder = mkdtempSync(join(tmpdir(), 'palimpsest-three-'))
  readonly #databaseUrl: string
  #next = 0

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl
    writeFileSync(this.#secretFile, randomBytes(32), { mode: 0o600 })
  }

  async start(env: Record<string, string> = {}): Promise<void> {
    this.nodes.push(...(await Promise.all([0, 1, 2].map((number) => this.#startNode(number, env)))))
    const own = { DATABASE_URL: this.#databaseUrl, DATA_DIR: this.nodes[0]?.dataDir ?? '' }
    const made = await runPalimpsest(own, 'keys', 'create', '--scopes', 'admin')
    this.key = made.stdout.trim()
  }

  /** Starts a node again that has ended, at the same inner address. */
  async restart(node: TestNode, env: Record<string, string>): Promise<TestNode> {
    await node.ended
    const number = this.nodes.indexOf(node)
    const started = await this.#startNode(number, env, node.address)
    this.nodes[number] = started
    return started
  }

  async stop(): Promise<void> {
    await endProcesses()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Asks the next node. */
  async ask(method: string, path: string, wish: Omit<Wish, 'path' | 'method'> = {}): Promise<Answer> {
    const { port } = this.nodes[this.#next++ % this.nodes.length] as TestNode
    return await this.askAt(port, method, path, wish)
  }

  async askAt(port: number, method: string, path: string, wish: Omit<Wish, 'path' | 'method'> = {}): Promise<Answer> {
    return await requestAs(port, { bearer: this.key, ...wish, method, path: `/api/v1${path}` })
  }

  /** The node that is the home of the site. */
  homeOf(siteId: string): TestNode {
    const home = homeOf(
      siteId,
      this.nodes.map(({ address }) => address),
    )
    return this.nodes.find(({ address }) => address === home) as TestNode
  }

  others(home: TestNode): TestNode[] {
    return this.nodes.filter((node) => node !== home)
  }

  async #startNode(number: number, env: Record<string, string>, known?: string): Promise<TestNode> {
    const address = known ?? `127.0.0.1:${await freePort()}`
    const dataDir = join(this.#folder, `node-${number}`)
    const own = { DATABASE_URL: this.#databaseUrl, NODE_ADDRESS: address, NODE_SECRET_FILE: this.#secretFile }
    const given = { WRITER_THREADS: '1', SITE_DOMAIN: 'sites.example', LOG_LEVEL: 'info' }
    return { ...(await serve({ dataDir, env: { ...own, ...given, ...env } })), address, dataDir }
  }

  get #secretFile(): string {
    return join(this.#folder, 'node.secret')
  }
}
