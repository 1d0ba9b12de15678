import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type RunningApi, startApi } from '../../src/app/roles/api.js'
import { loadConfig } from '../../src/config/config.js'
import { PostgresServer } from '../servers/postgres-server.js'
import { PROXIES, type Proxy, startProxy } from '../servers/proxies.js'
import { mintTestKey } from '../support/mint-key.js'
import { until } from '../support/within.js'

const NODES = 3
const CONFIG = { PORT: '0', DISK_RESERVE_BYTES: '0', WRITER_THREADS: '1', KEEP_ALIVE_SECONDS: '75' }

describe('three nodes behind a proxy that is set up as in deploy/', () => {
  const folders: string[] = []
  const nodes: RunningApi[] = []
  const proxies = new Map<string, Proxy>()
  let database: PostgresServer
  let key: string

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-deployed-'))
    folders.push(folder)
    return folder
  }

  before(async function () {
    database = await PostgresServer.start()
    const url = await database.createDatabase()
    const address = { BASE_URL: 'https://pages.example', SITE_DOMAIN: 'sites.test' }
    for (let i = 0; i < NODES; i++) {
      const config = loadConfig({ ...CONFIG, ...address, DATABASE_URL: url, DATA_DIR: newFolder() })
      const clock = () => new Date()
      nodes.push(await startApi(config, { logger: pino({ level: 'silent' }), clock, newId: randomUUID }))
    }
    const { services } = nodes[0]!.service
    const [workspace] = await services.catalog.workspaces.list()
    key = (await mintTestKey(services, { workspaceId: workspace?.id ?? '', scopes: ['write'] })).key
    const servicePort = nodes.map(({ port }) => port)
    for (const proxy of PROXIES) {
      const started = await startProxy(proxy, { folder: newFolder(), servicePort, baseHost: 'pages.example' })
      if (started !== undefined) proxies.set(proxy.name, started)
      else process.stderr.write(`    Debian's ${proxy.name.toLowerCase()} is not here: skipped\n`)
    }
    assert.ok(proxies.size > 0, "Debian's nginx and Caddy are not there: apt-get install nginx caddy")
  })
  after(async () => {
    for (const proxy of proxies.values()) await proxy.stop()
    for (const node of nodes) await node.stop()
    await database?.remove()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  interface Answer {
    status: number
    text: string
    /** Whether a node has answered, and not the proxy. */
    isOfNode: boolean
  }

  const ask = (port: number, host: string, path: string, method = 'GET', body = '') =>
    new Promise<Answer>((resolve, reject) => {
      const headers = { Host: host, 'Content-Type': 'text/html', Authorization: `Bearer ${key}` }
      const options = { port, path, method, headers, servername: host, rejectUnauthorized: false, agent: false }
      const sent = request(options, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        const isOfNode = response.headers['x-content-type-options'] !== undefined
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text, isOfNode }))
      })
      sent.on('error', reject)
      sent.end(body)
    })

  /** The answer, once a node that is busy no longer says 503; answers of the proxy itself are counted. */
  async function untilAnswered(once: () => Promise<Answer>): Promise<Answer & { refusedByProxy: number }> {
    let refusedByProxy = 0
    const answer = await until(once, ({ status, isOfNode }) => {
      if (!isOfNode) refusedByProxy++
      return isOfNode && status !== 503
    })
    return { ...answer, refusedByProxy }
  }

  it('are published to and read through it, also while one or two of them are stopped', async () => {
    for (let stopped = 0; stopped < NODES; stopped++) {
      if (stopped > 0) await nodes.shift()?.stop()
      for (const [name, { https }] of proxies) {
        const path = `/${name}-${stopped}`
        const publish = () => ask(https, 'pages.example', `/api/v1/pages?path=${path}`, 'PUT', `<p>${path}`)
        const put = await untilAnswered(publish)
        assert.equal(put.status, 201, `${name}, ${stopped} stopped: ${put.text}`)
        // A PUT may come upon a connection to a stopped node, once for each, and is sent to no other: its client comes again.
        assert.ok(put.refusedByProxy <= stopped, `${name}, ${stopped} stopped: it refused ${put.refusedByProxy} times`)
        const seen = await untilAnswered(() => ask(https, 'demo.sites.test', path))
        assert.deepEqual([seen.status, seen.text, seen.refusedByProxy], [200, `<p>${path}`, 0])
      }
    }
  })
})
