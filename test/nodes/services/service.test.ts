import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { type RunningApi, startApi } from '../../../src/processes/roles/api.js'
import { loadConfig } from '../../../src/processes/config/config.js'
import { packageVersion } from '../../../src/threads/package-version.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { mintTestKey } from '../../support/mint-key.js'
import { requestAs } from './request-as.js'
import { PATIENCE_MS, within } from '../../support/within.js'

/** A machine whose clock is a day ahead. */
const wrongClock = () => new Date(Date.now() + 86_400_000)

describe('two services on one database', () => {
  const folders: string[] = []
  let database: PostgresServer
  let url: string
  let nodes: [RunningApi, RunningApi]
  let key: string

  async function startNode(env: Record<string, string> = {}): Promise<RunningApi> {
    const dataDir = env['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'palimpsest-node-'))
    folders.push(dataDir)
    const given = {
      PORT: '0',
      DISK_RESERVE_BYTES: '0',
      WRITER_THREADS: '1',
      SITE_DOMAIN: 'sites.example',
    }
    const config = loadConfig({ ...given, DATABASE_URL: url, DATA_DIR: dataDir, ...env })
    return await startApi(config, { logger: pino({ level: 'silent' }), clock: wrongClock, newId: randomUUID })
  }

  before(async function () {
    database = await PostgresServer.start()
    url = await database.createDatabase()
    nodes = await Promise.all([startNode(), startNode({ SERVE_STALE_SECONDS: '60' })])
    const { services } = nodes[0].service
    const [workspace] = await services.catalog.workspaces.list()
    key = (await mintTestKey(services, { workspaceId: workspace?.id ?? '', scopes: ['admin'] })).key
  })
  after(async () => {
    for (const node of nodes ?? []) await node.stop()
    await database?.remove()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  const ask = (node: RunningApi, method: string, path: string, body?: object, bearer = key) =>
    requestAs(node.port, { method, path: `/api/v1${path}`, bearer, body })
  /** Takes the first answer, also a 503. */
  const askNow = (node: RunningApi, path: string) =>
    requestAs(node.port, { path: `/api/v1${path}`, bearer: key, patienceMs: 0 })
  const visit = (node: RunningApi, slug: string, path: string) =>
    requestAs(node.port, { path, host: `${slug}.sites.example` })
  const visitNow = (node: RunningApi, slug: string, path: string) =>
    requestAs(node.port, { path, host: `${slug}.sites.example`, patienceMs: 0 })

  it('make only one first site if they start at the same moment', async () => {
    const { body } = await ask(nodes[1], 'GET', '/sites')
    assert.deepEqual(
      body.data.map(({ slug }: { slug: string }) => slug),
      ['demo'],
    )
  })

  it('show on each host and in each API the answered changes of the other one', async () => {
    for (let i = 0; i < 6; i++) {
      const [writer, reader] = i % 2 === 0 ? nodes : [nodes[1], nodes[0]]
      const made = await ask(writer, 'POST', '/pages', { path: `/news-${i}`, html: `<h1>${i}</h1>` })
      assert.ok(made.status < 300, JSON.stringify(made.body))
      assert.match((await visit(reader, 'demo', `/news-${i}`)).text, new RegExp(`<h1>${i}</h1>`))
      const read = await ask(reader, 'GET', `/pages/${made.body.data.id}`)
      assert.deepEqual(read.body.data.version, made.body.data.version)
    }
  })

  it('make, configure and delete a site for one another', async () => {
    const { body } = await ask(nodes[0], 'POST', '/sites', { slug: 'shop' })
    assert.equal((await ask(nodes[1], 'POST', '/sites', { slug: 'shop' })).body.error.code, 'slug_taken')
    const page = { siteId: body.data.id, path: '/a', html: '<p>a' }
    const published = await ask(nodes[1], 'POST', '/pages', page)
    assert.equal(published.status, 201, JSON.stringify(published.body))
    assert.equal((await visit(nodes[0], 'shop', '/a')).status, 200)
    assert.equal((await ask(nodes[1], 'DELETE', `/sites/${body.data.id}`)).status, 200)
    assert.equal((await visit(nodes[0], 'shop', '/a')).status, 404)
    assert.equal((await ask(nodes[0], 'GET', `/sites/${body.data.id}`)).status, 404)
  })

  it('refuse a key that the other one has revoked, from the first request after the answer', async () => {
    for (let i = 0; i < 5; i++) {
      const { body } = await ask(nodes[0], 'POST', '/keys', { label: 'CI', scopes: ['read'] })
      const other = (node: RunningApi) => ask(node, 'GET', '/sites', undefined, body.data.key)
      assert.equal((await other(nodes[1])).status, 200)
      assert.equal((await ask(nodes[0], 'DELETE', `/keys/${body.data.id}`)).status, 200)
      assert.equal((await other(nodes[1])).status, 401)
    }
  })

  it('accept a key that the operator makes on the machine of the other one', async () => {
    const env = { ...process.env, DATABASE_URL: url, DATA_DIR: folders[0] }
    const args = ['dist/program/bin/palimpsest.js', 'keys', 'create', '--scopes', 'read', '--label', 'CI']
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    assert.equal((await ask(nodes[1], 'GET', '/sites', undefined, stdout.trim())).status, 200)
  })

  it('answer a repeated request as the other one did, and verify its commits', async () => {
    const publish = (node: RunningApi) =>
      requestAs(node.port, {
        method: 'POST',
        path: '/api/v1/pages',
        bearer: key,
        body: { path: '/once', html: '<p>once' },
        headers: { 'Idempotency-Key': 'once' },
      })
    const [first, again] = [await publish(nodes[0]), await publish(nodes[1])]
    const versions = await ask(nodes[1], 'GET', `/pages/${first.body.data.id}/versions`)
    assert.deepEqual([again.status, again.body.data], [201, first.body.data])
    assert.deepEqual([versions.body.data.length, versions.body.data[0].verified], [1, 'service'])
  })

  it('carry out a request only once if it is sent to both at the same moment', async () => {
    const { body: rows } = await ask(nodes[0], 'POST', '/collections', { name: 'rows' })
    const path = `/collections/${rows.data.id}/records`
    const statuses = new Set<number>()
    for (let i = 0; i < 6; i++) {
      const wish = { method: 'POST', path: `/api/v1${path}`, bearer: key, body: { data: { i } } }
      const send = (node: RunningApi) => requestAs(node.port, { ...wish, headers: { 'Idempotency-Key': `both-${i}` } })
      const answers = await Promise.all(nodes.map(send))
      for (const { status } of answers) statuses.add(status)
      assert.ok(answers.some(({ status }) => status === 201))
    }
    const { body } = await ask(nodes[0], 'GET', path)
    assert.equal(body.data.length, 6)
    assert.deepEqual(statuses, new Set([201, 409]))
  })

  it('make one key, one link and one site if the same request is sent to both at the same moment', async () => {
    const { catalog, store } = nodes[0].service.services
    await ask(nodes[0], 'GET', '/sites')
    const site = catalog.sites.findBySlug('demo')
    assert.ok(site)
    for (let i = 0; i < 3; i++) {
      const wishes: [path: string, body: object][] = [
        ['/keys', { label: `once-${i}` }],
        [`/sites/${site.id}/links`, { commit: store.reader.head(site) }],
        ['/sites', { slug: `once-${i}` }],
      ]
      for (const [path, body] of wishes) {
        const headers = { 'Idempotency-Key': `once-${i}` }
        const wish = { method: 'POST', path: `/api/v1${path}`, bearer: key, body, headers }
        const answers = await Promise.all(nodes.map(({ port }) => requestAs(port, wish)))
        const ids = answers.flatMap(({ status, body: { data } }) => (status === 201 ? data.id : []))
        assert.equal(new Set(ids).size, 1, JSON.stringify(answers))
        // A secret is shown once.
        assert.ok(path === '/sites' || ids.length === 1, JSON.stringify(answers))
      }
    }
    const { body: keys } = await ask(nodes[1], 'GET', '/keys')
    const { body: links } = await ask(nodes[1], 'GET', `/sites/${site.id}/links`)
    assert.equal(keys.data.filter(({ label }: { label: string }) => label.startsWith('once-')).length, 3)
    assert.equal(links.data.length, 3)
  })

  it('refuse and report only a site whose pack is missing in the log, and show it once the pack is there', async () => {
    const { body: made } = await ask(nodes[0], 'POST', '/sites', { slug: 'broken' })
    assert.equal((await visit(nodes[1], 'broken', '/')).status, 404)
    // Before any node can fetch it.
    const losing = `create function log.lose() returns trigger language plpgsql as 'begin new.pack := 9; return new; end';
      create trigger lose before insert on log.pieces for each row execute function log.lose()`
    await database.query(losing, url)
    const page = await ask(nodes[0], 'POST', '/pages', { siteId: made.data.id, path: '/a', html: '<p>a' })
    await database.query('drop function log.lose cascade', url)
    const newest = `where batch = (select batch from log.entries where site = '${made.data.id}' order by number desc limit 1)`
    assert.equal((await visitNow(nodes[1], 'broken', '/a')).status, 503)
    assert.equal((await visit(nodes[1], 'demo', '/news-0')).status, 200)
    assert.equal((await ask(nodes[1], 'GET', '/pages')).status, 200)
    const { body } = await askNow(nodes[1], `/pages/${page.body.data.id}`)
    assert.equal(body.error.code, 'site_busy')
    const local = { host: `localhost:${nodes[1].port}` }
    const ready = await requestAs(nodes[1].port, { path: '/readyz?verbose=1', ...local })
    assert.deepEqual([ready.status, ready.body.behind], [200, ['broken']])
    const health = await requestAs(nodes[1].port, { path: '/healthz?verbose=1', ...local })
    assert.match(health.body.troubles[0].what, /^This node cannot fetch the site's newest version: .* has no piece 0$/)
    await database.query(`update log.pieces set pack = 0 ${newest}`, url)
    await within(PATIENCE_MS, async () => assert.equal((await visit(nodes[1], 'broken', '/a')).text, '<p>a'))
    assert.deepEqual((await requestAs(nodes[1].port, { path: '/healthz?verbose=1', ...local })).body.troubles, [])
  })

  it('record the time of the database, even if the clocks of their machines are a day ahead', async () => {
    const { body } = await ask(nodes[0], 'POST', '/pages', { path: '/dated', html: '<p>dated' })
    assert.ok(Math.abs(Date.parse(body.data.createdAt) - Date.now()) < 60_000, body.data.createdAt)
  })

  it('report what an acknowledged write survives', async () => {
    const { body } = await requestAs(nodes[0].port, { path: '/readyz?verbose=1' })
    assert.ok(Math.abs(Date.parse(body.completeAsOf) - Date.now()) < 60_000, body.completeAsOf)
    assert.ok(body.lastError === null || typeof body.lastError.message === 'string')
    assert.deepEqual(body, {
      status: 'ready',
      database: { promise: 'one server', server: `127.0.0.1:${database.port}`, timeline: 1 },
      writeFault: null,
      completeAsOf: body.completeAsOf,
      // One where a commit took the database longer than a node trusts it without.
      lastError: body.lastError,
      behind: [],
      nodes: [
        { number: null, version: packageVersion() },
        { number: null, version: packageVersion() },
      ],
    })
  })

  it("refuse a node's folder on one machine, and that of one machine on a node", async () => {
    const [node, alone] = [
      mkdtempSync(join(tmpdir(), 'palimpsest-node-')),
      mkdtempSync(join(tmpdir(), 'palimpsest-node-')),
    ]
    writeFileSync(join(node, 'catalog-copy.db'), '')
    writeFileSync(join(alone, 'catalog.db'), '')
    await assert.rejects(startNode({ DATABASE_URL: '', DATA_DIR: node }), /is that of a node: set DATABASE_URL/)
    await assert.rejects(
      startNode({ DATA_DIR: alone }),
      /holds the data of one machine: a node needs a folder of its own/,
    )
  })

  it('answer 503 while the database does not answer, but report that they are alive, and go on when it is back', async () => {
    const { body: open } = await ask(nodes[0], 'POST', '/sites', { slug: 'open' })
    await ask(nodes[0], 'PATCH', `/sites/${open.data.id}`, { publicHistory: true })
    const page = { siteId: open.data.id, path: '/kept', html: '<p>kept' }
    const version = (await ask(nodes[0], 'POST', '/pages', page)).body.data.version.id
    await ask(nodes[0], 'DELETE', `/sites/${(await ask(nodes[0], 'POST', '/sites', { slug: 'gone' })).body.data.id}`)
    const shown = await visit(nodes[1], 'open', '/kept')
    await database.down()
    assert.equal((await visitNow(nodes[0], 'demo', '/')).status, 503)
    assert.equal((await askNow(nodes[1], '/sites')).body.error.code, 'storage_failed')
    const { status, body } = await requestAs(nodes[0].port, { path: '/readyz?verbose=1' })
    assert.deepEqual([status, body.status], [503, 'no database'])
    assert.match(body.error, new RegExp(`127\\.0\\.0\\.1:${database.port}`))
    assert.equal((await requestAs(nodes[0].port, { path: '/healthz' })).status, 200)
    // The other one has SERVE_STALE_SECONDS.
    const old = await visit(nodes[1], 'open', '/kept')
    assert.deepEqual(
      [shown.status, old.status, old.text, old.headers['cache-control']],
      [200, 200, '<p>kept', 'no-store'],
    )
    assert.equal((await visit(nodes[1], 'open', '/nothing')).status, 404)
    for (const hidden of [`${version.slice(0, 20)}--open`, 'gone', 'unheard-of'])
      assert.equal((await visitNow(nodes[1], hidden, '/kept')).status, 503, hidden)
    assert.equal((await visit(nodes[1], 'open', '/sitemap.xml')).status, 404)
    await database.up()
    assert.equal((await visit(nodes[0], 'demo', '/')).status, 200)
    assert.notEqual((await visit(nodes[1], 'open', '/kept')).headers['cache-control'], 'no-store')
    assert.equal((await requestAs(nodes[0].port, { path: '/readyz' })).status, 200)
    const { node } = (await requestAs(nodes[0].port, { path: '/healthz?verbose=1' })).body
    assert.match(node.lastError.message, new RegExp(`127\\.0\\.0\\.1:${database.port}`))
  })
})

describe('a service without DATABASE_URL', () => {
  it('loads nothing of PostgreSQL', () => {
    const loaded = new Set<string>()
    const load = (file: string): void => {
      if (loaded.has(file)) return
      loaded.add(file)
      const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^\n]*?["'](\.[^"']+)["']/gm)
      for (const [, path = ''] of imports) if (existsSync(join(dirname(file), path))) load(join(dirname(file), path))
    }
    load('dist/program/bin/palimpsest.js')
    const ofPostgres = [...loaded].filter((file) => readFileSync(file, 'utf8').includes('node_modules/pg/lib'))
    assert.deepEqual([loaded.size > 1, ofPostgres], [true, []])
  })
})
