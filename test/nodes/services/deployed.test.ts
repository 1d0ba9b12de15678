import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type RunningApi, startApi } from '../../../src/processes/roles/api.js'
import { loadConfig } from '../../../src/processes/config/config.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { NODE_PROXIES, type Proxy, startProxy } from '../../servers/proxies.js'
import { requestAs } from './request-as.js'
import { mintTestKey } from '../../support/mint-key.js'
import { until } from '../../support/within.js'

const NODES = 3
const KEYS = 6
const API = '/api/v1'
const CONFIG = { PORT: '0', DISK_RESERVE_BYTES: '0', WRITER_THREADS: '1', KEEP_ALIVE_SECONDS: '75' }

describe('three nodes behind a proxy that is set up as in deploy/', () => {
  const folders: string[] = []
  const nodes: RunningApi[] = []
  const proxies = new Map<string, Proxy>()
  let database: PostgresServer
  /** Proxies choose a node by the key. */
  const keys: string[] = []

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-deployed-'))
    folders.push(folder)
    return folder
  }

  before(async function () {
    database = await PostgresServer.start()
    const url = await database.createDatabase()
    const address = { BASE_URL: 'https://pages.example', SITE_DOMAIN: 'sites.test' }
    for (let i = 1; i <= NODES; i++) {
      const numbered = { ...CONFIG, NODE_NUMBER: String(i) }
      const config = loadConfig({ ...numbered, ...address, DATABASE_URL: url, DATA_DIR: newFolder() })
      const clock = () => new Date()
      nodes.push(await startApi(config, { logger: pino({ level: 'silent' }), clock, newId: randomUUID }))
    }
    const { services } = nodes[0]!.service
    const [workspace] = await services.catalog.workspaces.list()
    for (let i = 0; i < KEYS; i++)
      keys.push((await mintTestKey(services, { workspaceId: workspace?.id ?? '', scopes: ['write'] })).key)
    const servicePort = nodes.map(({ port }) => port)
    for (const proxy of NODE_PROXIES) {
      const started = await startProxy(proxy, { folder: newFolder(), servicePort, baseHost: 'pages.example' })
      assert.ok(started, `install Debian's ${proxy.name.toLowerCase()}`)
      proxies.set(proxy.name, started)
    }
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

  const ask = (port: number, host: string, path: string, method = 'GET', body = '', key = keys[0]) =>
    new Promise<Answer>((resolve, reject) => {
      const type = body.startsWith('{')
        ? 'application/json'
        : path.includes('/blobs/')
          ? 'application/octet-stream'
          : 'text/html'
      const headers = { Host: host, 'Content-Type': type, Authorization: `Bearer ${key}` }
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

  it('continue a deploy that any of them began, with each request by another key', async () => {
    for (const [name, { https }] of proxies)
      for (const { port } of nodes) {
        const text = `${name} ${port}`
        const oid = createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex')
        const files = { [`/${name}-${port}.txt`]: { oid, size: text.length } }
        const made = await requestAs(port, {
          method: 'POST',
          path: `${API}/deploys`,
          bearer: keys[0]!,
          body: { files },
        })
        assert.equal(made.status, 201, made.text)
        const deploy = `${API}/deploys/${made.body.data.id}`
        const put = await ask(https, 'pages.example', `${deploy}/blobs/${oid}`, 'PUT', text, keys[1])
        assert.equal(put.status, 200, `${name}: ${put.text}`)
        for (const key of keys) {
          const read = await ask(https, 'pages.example', deploy, 'GET', '', key)
          assert.deepEqual([read.status, JSON.parse(read.text).data.missing], [200, []], name)
        }
        const published = await ask(https, 'pages.example', `${deploy}/publish`, 'POST', '{}', keys[2])
        assert.equal(published.status, 200, `${name}: ${published.text}`)
        assert.equal((await ask(https, 'demo.sites.test', `/${name}-${port}.txt`)).text, text)
      }
  })

  it('show a preview of any of them', async () => {
    for (const [name, { https }] of proxies)
      for (const { port } of nodes) {
        const path = `${API}/pages?dryRun=true`
        const body = { path: `/preview-${name}`, html: `<p>${port}` }
        const made = await requestAs(port, { method: 'POST', path, bearer: keys[0]!, body })
        const { host, pathname } = new URL(made.body.data.dryRun.previewUrl)
        const shown = await ask(https, host, pathname)
        assert.deepEqual([shown.status, shown.text], [200, `<p>${port}`], name)
      }
  })

  it('take writes and reads through it, also while one or two of them are stopped', async () => {
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
