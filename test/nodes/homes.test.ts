import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { homeOf, markOf } from '../../src/nodes/homes.js'
import { PostgresServer } from '../servers/postgres-server.js'
import { run } from '../scenarios/serve-process.js'
import { requestAs } from './request-as.js'
import { type TestNode, ThreeNodes } from './three-nodes.js'

/** Within this time the others go on without a home that is gone. */
const GOES_ON_MS = 10_000

describe('the home of a site', () => {
  const addresses = ['10.0.0.1:8090', '10.0.0.2:8090', '10.0.0.3:8090']
  const sites = Array.from({ length: 300 }, () => randomUUID())

  it('is one of the nodes, each for its share of the sites, whatever their order', () => {
    for (const address of addresses) {
      const count = sites.filter((site) => homeOf(site, addresses) === address).length
      assert.ok(count > 50 && count < 150, `${count}`)
    }
    for (const site of sites) assert.equal(homeOf(site, addresses), homeOf(site, addresses.toReversed()))
  })

  it('stays the same where another node leaves', () => {
    const [gone, ...rest] = addresses
    const moved = sites.filter((site) => homeOf(site, addresses) !== homeOf(site, rest))
    assert.deepEqual(
      moved,
      sites.filter((site) => homeOf(site, addresses) === gone),
    )
  })
})

describe('three nodes behind a proxy that sends each request to the next one', () => {
  let database: PostgresServer
  let three: ThreeNodes
  const sites: { id: string; slug: string }[] = []

  before(async function () {
    database = await PostgresServer.start()
    three = new ThreeNodes(await database.createDatabase())
    await three.start({ SERVE_STALE_SECONDS: '60' })
    for (let i = 0; new Set(sites.map(({ id }) => three.homeOf(id))).size < 3 || i < 4; i++) {
      const { body } = await three.ask('POST', '/sites', { body: { slug: `site-${i}` } })
      sites.push(body.data)
    }
    await untilAllKnown()
  })
  after(async () => {
    await three?.stop()
    await database?.remove()
  })

  /** Every node has met the two others. */
  async function untilAllKnown(): Promise<void> {
    const isKnown = async ({ port }: TestNode) => {
      const { body } = await requestAs(port, { path: '/readyz?verbose=1' })
      return body.nodes.length === 3
    }
    while ((await Promise.all(three.nodes.map(isKnown))).includes(false)) await pause(50)
  }

  /** What the node has logged of requests, as `method path` with the status. */
  const served = (node: TestNode, path: string) =>
    node
      .logged()
      .split('\n')
      .flatMap((line) => (line.includes(`"path":"${path}"`) ? [JSON.parse(line)] : []))

  it('carry out each write of a site at its home, for the client that sent it', async () => {
    for (const { id } of sites.slice(0, 3)) {
      const statuses = await Promise.all(
        Array.from({ length: 3 }, async (_, i) => {
          const body = { path: `/page-${i}`, html: `<p>${i}` }
          return (await three.ask('POST', '/pages', { body, headers: { 'x-service-site-id': id } })).status
        }),
      )
      assert.deepEqual(new Set(statuses), new Set([201]))
    }
    const logged = () => three.nodes.map((node) => served(node, '/api/v1/pages'))
    let lines = logged()
    // A line comes a moment after the answer.
    for (; lines.flat().length < 9; lines = logged()) await pause(10)
    const homes = sites.slice(0, 3).map(({ id }) => three.nodes.indexOf(three.homeOf(id)))
    const expected = three.nodes.map((_, number) => 3 * homes.filter((home) => home === number).length)
    assert.deepEqual(
      lines.map(({ length }) => length),
      expected,
    )
    assert.deepEqual(new Set(lines.flat().map(({ client }) => client)), new Set(['127.0.0.1']))
  })

  it('show every write to each GET begun after its answer, through all nodes', async () => {
    const visitAll = (slug: string, path: string) =>
      Promise.all(three.nodes.map(({ port }) => requestAs(port, { path, host: `${slug}.sites.example` })))
    const write = async ({ id, slug }: { id: string; slug: string }) => {
      const headers = { 'x-service-site-id': id }
      for (let i = 0; i < 4; i++) {
        const { body } = await three.ask('PUT', '/pages?path=/live', { body: { html: `<p>${i}` }, headers })
        for (const { text } of await visitAll(slug, '/live')) assert.equal(text, `<p>${i}`)
        if (i !== 2) continue
        assert.equal((await three.ask('DELETE', `/pages/${body.data.id}`, { headers })).status, 200)
        for (const { status } of await visitAll(slug, '/live')) assert.equal(status, 404)
      }
    }
    await Promise.all(sites.slice(0, 3).map(write))
    const { body: short } = await three.ask('POST', '/sites', { body: { slug: 'short' } })
    await write(short.data)
    assert.equal((await three.ask('DELETE', `/sites/${short.data.id}`)).status, 200)
    for (const { status } of await visitAll('short', '/live')) assert.equal(status, 404)
  })

  it('take the parts of a deploy wherever they come in', async () => {
    for (const { id, slug } of sites.slice(0, 2)) {
      const files = [0, 1, 2].map((i) => ({
        path: `/deep/file-${i}.txt`,
        bytes: Buffer.alloc(100_000 * i, `${slug}${i}`),
      }))
      const manifest = Object.fromEntries(
        files.map(({ path, bytes }) => [path, { oid: oidOf(bytes), size: bytes.length }]),
      )
      const made = await three.ask('POST', '/deploys', { body: { siteId: id, files: manifest } })
      assert.equal(made.status, 201, made.text)
      const deploy = `/deploys/${made.body.data.id}`
      for (const { bytes } of files) {
        const { status, text } = await three.ask('PUT', `${deploy}/blobs/${oidOf(bytes)}`, { bytes })
        assert.equal(status, 200, text)
      }
      for (let i = 0; i < 3; i++) assert.deepEqual((await three.ask('GET', deploy)).body.data.missing, [])
      const published = await three.ask('POST', `${deploy}/publish`)
      assert.equal(published.status, 200, published.text)
      for (const { port } of three.nodes) {
        const { text } = await requestAs(port, { path: '/deep/file-2.txt', host: `${slug}.sites.example` })
        assert.equal(text, String(files[2]?.bytes))
      }
    }
  })

  it('answer a deploy in which nothing differs at once, wherever it comes in, until one of them takes a write', async () => {
    const { id } = sites[3] as { id: string }
    const bytes = Buffer.from('one')
    const manifest = { '/one.txt': { oid: oidOf(bytes), size: bytes.length } }
    const put = await three.ask('PUT', '/files?path=/one.txt', { bytes, headers: { 'x-service-site-id': id } })
    assert.equal(put.status, 201, put.text)
    const ask = (port: number, key: string) =>
      three.askAt(port, 'POST', '/deploys', {
        body: { siteId: id, files: manifest },
        headers: { 'idempotency-key': key },
      })
    const keys = three.nodes.map(({ port }) => `unchanged-${port}`)
    for (const key of keys)
      for (const { port } of three.nodes) {
        const { status, body, text } = await ask(port, key)
        assert.equal(status, 201, text)
        assert.deepEqual([body.data.unchanged?.commit, body.data.unchanged?.unchanged], [null, 1], text)
      }
    for (const [i, { port }] of three.nodes.entries()) {
      const headers = { 'x-service-site-id': id }
      await three.askAt(port, 'PUT', '/files?path=/one.txt', { bytes: Buffer.from(`other ${i}`), headers })
      for (const other of three.nodes) {
        const { status, body, text } = await ask(other.port, `changed-${i}-${other.port}`)
        assert.deepEqual([status, body.data?.unchanged], [201, undefined], text)
        const again = await ask(other.port, keys[i] as string)
        assert.deepEqual([again.status, again.body.data?.unchanged], [201, undefined], again.text)
        assert.equal((await three.ask('DELETE', `/deploys/${body.data.id}`)).status, 200)
      }
    }
  })

  it('show a preview through each of them', async () => {
    const { id } = sites[0] as { id: string }
    const headers = { 'x-service-site-id': id }
    const { body } = await three.ask('POST', '/pages?dryRun=true', { body: { path: '/new', html: '<p>new' }, headers })
    const { host, pathname } = new URL(body.data.dryRun.previewUrl)
    assert.ok(host.startsWith(`preview--${markOf(three.homeOf(id).address)}`))
    for (const { port } of three.nodes) {
      const shown = await requestAs(port, { path: pathname, host })
      assert.deepEqual([shown.status, shown.text], [200, '<p>new'])
    }
  })

  it('receive a push at the home of the site', async () => {
    const { id, slug } = sites[1] as { id: string; slug: string }
    const home = three.homeOf(id)
    const [entry] = three.others(home) as [TestNode]
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pushed-'))
    const git = async (...args: string[]) => {
      const { code, stderr } = await run('git', [
        '-C',
        folder,
        '-c',
        'user.name=Ada',
        '-c',
        'user.email=a@b.c',
        ...args,
      ])
      assert.equal(code, 0, stderr)
    }
    await git('clone', '--quiet', `http://ada:${three.key}@127.0.0.1:${entry.port}/git/${slug}.git`, '.')
    await git('commit', '--quiet', '--allow-empty', '-m', 'Nothing new')
    await git('push', '--quiet', 'origin', 'HEAD:main')
    rmSync(folder, { recursive: true, force: true })
    const path = `/git/${slug}.git/git-receive-pack`
    // A line comes a moment after the answer.
    while (three.nodes.every((node) => served(node, path).length === 0)) await pause(10)
    assert.deepEqual([served(entry, path).length, served(home, path).length > 0], [0, true])
  })

  it('let nobody in at an inner address without the secret', async () => {
    const port = Number(three.nodes[0]?.address.split(':')[1])
    const wish = { path: '/api/v1/sites', bearer: three.key }
    assert.equal((await requestAs(port, wish)).status, 403)
    assert.equal((await requestAs(port, { ...wish, headers: { 'X-Palimpsest-Node-Secret': 'guessed' } })).status, 403)
  })

  it('show public pages alone while the database is down, and nobody may keep them', async () => {
    const { id, slug } = sites[0] as { id: string; slug: string }
    const { port } = three.nodes[1] as TestNode
    const visit = (path: string) => requestAs(port, { path, host: `${slug}.sites.example` })
    const wish = { body: { html: '<p>old' }, headers: { 'x-service-site-id': id } }
    const publish = (patienceMs?: number) =>
      three.ask('PUT', '/pages?path=/old', { ...wish, ...(patienceMs !== undefined && { patienceMs }) })
    assert.equal((await publish()).status, 201)
    assert.equal((await visit('/old')).status, 200)
    await database.down('SIGQUIT')
    const old = await visit('/old')
    assert.deepEqual([old.status, old.text, old.headers['cache-control']], [200, '<p>old', 'no-store'])
    assert.equal((await publish(0)).status, 503)
    await database.up()
    while ((await publish()).status !== 200) await pause(50)
    await untilAllKnown()
    assert.notEqual((await visit('/old')).headers['cache-control'], 'no-store')
  })

  for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
    it(`go on within 3 s where the home of a site gets ${signal}`, async () => {
      const { id } = sites[2] as { id: string }
      const home = three.homeOf(id)
      const others = three.others(home)
      const publish = ({ port }: TestNode) =>
        three.askAt(port, 'PUT', `/pages?path=/${signal}`, {
          body: { html: `<p>${port}` },
          headers: { 'x-service-site-id': id },
        })
      const before = await publish(others[0] as TestNode)
      assert.equal(before.status, 201, before.text)
      home.signal(signal)
      const began = performance.now()
      for (const other of others) {
        let answer = await publish(other)
        for (; answer.status === 503; answer = await publish(other)) await pause(50)
        assert.equal(answer.status, 200, answer.text)
      }
      const took = performance.now() - began
      home.signal('SIGCONT')
      assert.ok(took < GOES_ON_MS, `${took} ms`)
    })

  it('have the others carry out what came to one whose disk takes nothing', async () => {
    const { id, slug } = sites[2] as { id: string; slug: string }
    const { port } = await three.restart(three.homeOf(id), { DISK_RESERVE_BYTES: String(2 ** 52) })
    const ready = () => requestAs(port, { path: '/readyz?verbose=1' })
    while ((await ready()).status === 200) await pause(50)
    assert.deepEqual([(await ready()).status, (await ready()).body.status], [503, 'no disk'])
    const headers = { 'x-service-site-id': id }
    const write = () => three.askAt(port, 'PUT', '/pages?path=/full', { body: { html: '<p>full' }, headers })
    let answer = await write()
    // On a busy machine the others may not answer for a second: then nobody else carries it out.
    for (let tries = 0; answer.status === 507 && tries < 30; tries++) answer = await pause(500).then(write)
    assert.equal(answer.status, 201, answer.text)
    assert.equal((await requestAs(port, { path: '/full', host: `${slug}.sites.example` })).text, '<p>full')
  })
})

function oidOf(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
