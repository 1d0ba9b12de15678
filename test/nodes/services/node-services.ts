// Services that share a database, in this process: the tests of nodes send requests and pushes to them, and stop them.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type RunningApi, startApi } from '../../../src/processes/roles/api.js'
import { loadConfig } from '../../../src/processes/config/config.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { mintTestKey } from '../../support/mint-key.js'
import { type Answer, requestAs, type Wish } from './request-as.js'

export interface NodeService {
  /** Its NODE_NUMBER. */
  number: number
  dataDir: string
  server: RunningApi
  /** Lines of its log, from `info` on. */
  logged: { msg: string; [field: string]: unknown }[]
}

export class NodeServices {
  readonly database: PostgresServer
  readonly url: string
  readonly nodes: NodeService[] = []
  /** Has the scope `admin`. */
  key = ''
  #count = 0

  private constructor(database: PostgresServer, url: string) {
    this.database = database
    this.url = url
  }

  /** Starts two nodes with the first site, `demo`, after `before` has used the database. */
  static async start(
    env: Record<string, string> = {},
    before: (url: string) => Promise<void> = async () => undefined,
  ): Promise<NodeServices> {
    const database = await PostgresServer.start()
    const services = new NodeServices(database, await database.createDatabase())
    await before(services.url)
    await Promise.all([services.add(env), services.add(env)])
    services.key = (await mintTestKey(services.at(0).service.services, { scopes: ['admin'] })).key
    return services
  }

  async add(env: Record<string, string> = {}): Promise<NodeService> {
    const number = ++this.#count
    const dataDir = env['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'palimpsest-node-'))
    const given = {
      PORT: '0',
      NODE_NUMBER: String(number),
      DISK_RESERVE_BYTES: '0',
      WRITER_THREADS: '1',
      SITE_DOMAIN: 'sites.example',
    }
    const config = loadConfig({ ...given, DATABASE_URL: this.url, DATA_DIR: dataDir, ...env })
    const logged: NodeService['logged'] = []
    const logger = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
    const parts = { logger, clock: () => new Date(), newId: randomUUID }
    const node = { number, dataDir, server: await startApi(config, parts), logged }
    this.nodes.push(node)
    // Those that start together may be ready in any order.
    this.nodes.sort((a, b) => a.number - b.number)
    return node
  }

  at(number: number): RunningApi {
    const node = this.nodes[number]
    assert.ok(node, `there is no node ${number}`)
    return node.server
  }

  async ask(number: number, method: string, path: string, body?: object, more: Partial<Wish> = {}): Promise<Answer> {
    return await requestAs(this.at(number).port, { method, path: `/api/v1${path}`, bearer: this.key, body, ...more })
  }

  async visit(number: number, slug: string, path: string): Promise<Answer> {
    return await requestAs(this.at(number).port, { path, host: `${slug}.sites.example` })
  }

  gitdir(number: number, slug = 'demo'): string {
    return join(this.nodes[number]?.dataDir ?? '', `${slug}.git`)
  }

  cloneUrl(number: number, slug = 'demo', key = this.key): string {
    return `http://git:${key}@127.0.0.1:${this.at(number).port}/git/${slug}.git`
  }

  async stop(): Promise<void> {
    for (const { server } of this.nodes) await server.stop()
    await this.database.remove()
    for (const { dataDir } of this.nodes) rmSync(dataDir, { recursive: true, force: true })
  }
}
