import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type RunningServer, startServer } from '../../src/app/server.js'
import { loadConfig } from '../../src/config/config.js'
import { PostgresServer } from '../servers/postgres-server.js'
import { PROXIES, type Proxy, startProxy } from '../servers/proxies.js'
import { mintTestKey } from '../support/mint-key.js'
import { until } from '../support/within.js'

const NODES = 3
const CONFIG = { PORT: '0', WORKERS: '0', DISK_RESERVE_BYTES: '0', WRITER_THREADS: '1', KEEP_ALIVE_SECONDS: '75' }

describe('three nodes behind a proxy that is set up as in deploy/', () => {
  const folders: string[] = []
  const nodes: RunningServer[] = []
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
      nodes.push(await startServer(config, { logger: pino({ level: 'silent' }), clock, newId: randomUUID }))
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

  const ask = (port: number, host: string, path: string, method = 'GET', body = '') =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = { Host: host, 'Content-Type': 'text/html', Authorization: `Bearer ${key}` }
      const options = { port, path, method, headers, servername: host, rejectUnauthorized: false, agent: false }
      const sent = request(options, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      sent.on('error', reject)
      sent.end(body)
    })

  const hasPassed = ({ status }: { status: number }) => status !== 502 && status !== 503

  it('are published to and read through it, also while one or two of them are stopped', async () => {
    for (let stopped = 0; stopped < NODES; stopped++) {
      if (stopped > 0) await nodes.shift()?.stop()
      for (const [name, { https }] of proxies) {
        const path = `/${name}-${stopped}`
        const publish = () => ask(https, 'pages.example', `/api/v1/pages?path=${path}`, 'PUT', `<p>${path}`)
        // A proxy may take a kept connection that the stopped node is just closing, and a busy node may answer 503: a client comes again.
        const put = await until(publish, hasPassed)
        assert.equal(put.status, 201, `${name}, ${stopped} stopped: ${put.text}`)
        const seen = await until(() => ask(https, 'demo.sites.test', path), hasPassed)
        assert.deepEqual(seen, { status: 200, text: `<p>${path}` })
      }
    }
  })
})
