// Three nodes behind each proxy of deploy/. One is killed, then each is restarted in turn, while clients publish and read.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../servers/ports.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { NODE_PROXIES, startProxy } from '../../servers/proxies.js'
import { runPalimpsest, serve, type ServeProcess } from '../../scenarios/serve-process.js'
import type { FaultProgram, Report } from '../program.js'

const NODES = 3
/** Proxies choose a node by the key. */
const KEYS = 6
const BASE_HOST = 'pages.example'
const SITE_HOST = 'demo.sites.test'
const PACE_MS = 25
/** Between two restarts, and before and after them. */
const CALM_MS = 3000
const MAX_FAILED_SHARE = 0.02

export const rollingRestart: FaultProgram = {
  name: 'rolling-restart',
  about: 'kills one of three nodes behind nginx, Caddy and HAProxy, then restarts each in turn, under load',
  needs: ['postgres'],
  async run(report) {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-rolling-'))
    const database = await PostgresServer.start()
    const url = await database.createDatabase()
    const nodes: Node[] = []
    try {
      for (let number = 1; number <= NODES; number++) {
        const node = new Node(await freePort(), { DATABASE_URL: url, NODE_NUMBER: String(number) }, folder)
        await node.start()
        nodes.push(node)
      }
      const keys = await Promise.all(Array.from({ length: KEYS }, () => nodes[0]!.makeKey()))
      for (const proxy of NODE_PROXIES) {
        report.begin(proxy.name, NODE_PROXIES.length)
        const place = {
          folder: mkdtempSync(join(folder, 'proxy-')),
          servicePort: nodes.map(({ port }) => port),
          baseHost: BASE_HOST,
        }
        const started = await startProxy(proxy, place)
        if (started === undefined) {
          console.log(`${proxy.name} is not installed: nothing is sent through it`)
          continue
        }
        await restartBehind(new Clients(proxy.name, started.https, keys), nodes, report)
        await started.stop()
      }
    } finally {
      await Promise.all(nodes.map((node) => node.end('SIGKILL')))
      await database.remove()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    }
  },
}

async function restartBehind(clients: Clients, nodes: readonly Node[], report: Report): Promise<void> {
  const load = clients.run()
  await pause(CALM_MS)
  for (const [at, signal] of (['SIGKILL', 'SIGTERM', 'SIGTERM', 'SIGTERM'] as const).entries()) {
    const node = nodes[at % NODES] as Node
    await node.end(signal)
    await node.start()
    await pause(CALM_MS)
  }
  clients.stop()
  await load
  const { name, sent, failures, acknowledged } = clients
  const said = failures.length === 0 ? '' : `: ${[...new Set(failures)].join(', ')}`
  console.log(`rolling-restart: ${name}: ${failures.length} of ${sent} requests failed${said}`)
  if (failures.length > sent * MAX_FAILED_SHARE)
    report.violate(`${name}: ${failures.length} of ${sent} requests failed`)
  for (const path of acknowledged) {
    const { status, text } = await clients.ask(SITE_HOST, 'GET', path)
    if (status !== 200 || text !== path) report.lose(`${name}: ${path} is answered ${status}`)
  }
  report.acknowledge(acknowledged.length)
}

/** A node as a supervisor runs it: always on the same port. */
class Node {
  readonly port: number
  readonly #env: Record<string, string>
  #process: ServeProcess | undefined

  constructor(port: number, env: Record<string, string>, folder: string) {
    this.port = port
    const address = { BASE_URL: `https://${BASE_HOST}`, SITE_DOMAIN: 'sites.test' }
    const dataDir = mkdtempSync(join(folder, 'node-'))
    this.#env = {
      ...address,
      PORT: String(port),
      KEEP_ALIVE_SECONDS: '75',
      LOG_LEVEL: 'silent',
      DATA_DIR: dataDir,
      ...env,
    }
  }

  async start(): Promise<void> {
    this.#process = await serve({ env: this.#env })
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.#process?.signal(signal)
    await this.#process?.ended
  }

  async makeKey(): Promise<string> {
    const made = await runPalimpsest(this.#env, 'keys', 'create', '--scopes', 'write')
    if (made.code !== 0) throw new Error(made.stderr)
    return made.stdout.trim()
  }
}

/** Clients of one proxy. They publish pages, each at a path of its own that is also its text, and read the newest one. */
class Clients {
  readonly name: string
  readonly #port: number
  readonly #keys: readonly string[]
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false, servername: BASE_HOST })
  readonly #stopped = new AbortController()
  readonly acknowledged: string[] = []
  readonly failures: string[] = []
  sent = 0

  constructor(name: string, port: number, keys: readonly string[]) {
    this.name = name
    this.#port = port
    this.#keys = keys
  }

  /** Sends a request at each step of the pace, whether or not earlier ones are answered. Resolves once all have ended. */
  async run(): Promise<void> {
    const requests: Promise<void>[] = []
    for (; !this.#stopped.signal.aborted; await pause(PACE_MS)) requests.push(this.#send(this.sent++))
    await Promise.all(requests)
  }

  stop(): void {
    this.#stopped.abort()
  }

  ask(host: string, method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const key = this.#keys[this.sent % KEYS]
      const headers = { Host: host, 'Content-Type': 'text/html', Authorization: `Bearer ${key}` }
      const sent = request({ port: this.#port, method, path, headers, agent: this.#agent }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  async #send(number: number): Promise<void> {
    const newest = this.acknowledged.at(-1) ?? '/'
    const path = `/${randomUUID()}`
    const isWrite = number % 2 === 0
    const answer = isWrite
      ? this.ask(BASE_HOST, 'PUT', `/api/v1/pages?path=${path}`, path)
      : this.ask(SITE_HOST, 'GET', newest)
    const { status } = await answer.catch((error: NodeJS.ErrnoException) => ({ status: error.code ?? error.message }))
    if (typeof status === 'string' || status >= 400) this.failures.push(`${isWrite ? 'PUT' : 'GET'} ${status}`)
    else if (isWrite) this.acknowledged.push(path)
  }
}
