// Nodes that each get the next request of a client, as behind a proxy that keeps nothing together.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../scenarios/serve-process.js'
import { until } from '../../support/within.js'
import { NodeServices } from './node-services.js'
import { type Answer, requestAs, type Wish } from './request-as.js'

const NODES = [0, 1, 2]

describe('nodes that get requests in turn', () => {
  let services: NodeServices
  let next = 0

  before(async () => {
    services = await NodeServices.start()
    await services.add({ SERVE_STALE_SECONDS: '60' })
  })
  after(() => services?.stop())

  const ask = (method: string, path: string, body?: object, more: Partial<Wish> = {}) =>
    services.ask(NODES[next++ % NODES.length]!, method, path, body, more)
  const askEach = (method: string, path: string) => Promise.all(NODES.map((node) => services.ask(node, method, path)))
  const visitEach = (slug: string, path: string) => Promise.all(NODES.map((node) => services.visit(node, slug, path)))
  const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status)

  it('are known by their numbers', async () => {
    const numbers = async () => {
      const { body } = await requestAs(services.at(0).port, { path: '/readyz?verbose=1' })
      return (body.nodes as { number: number }[]).map(({ number }) => number).toSorted((a, b) => a - b)
    }
    await until(numbers, (found) => found.join() === '1,2,3')
  })

  it('show every write to each GET begun after its answer', async () => {
    for (let round = 0; round < 4; round++) {
      const { status, body } = await ask('PUT', '/pages?path=/live', { html: `<p>${round}` })
      assert.equal(status, round === 0 || round === 3 ? 201 : 200)
      for (const { text } of await visitEach('demo', '/live')) assert.equal(text, `<p>${round}`)
      if (round !== 2) continue
      assert.equal((await ask('DELETE', `/pages/${body.data.id}`)).status, 200)
      assert.deepEqual(statusesOf(await visitEach('demo', '/live')), [404, 404, 404])
    }
  })

  it('lose none of the writes that come to all of them at once, in one site', async () => {
    const writes = Array.from({ length: 12 }, (_, at) => ask('POST', '/pages', { path: `/at-once-${at}`, html: '<p>' }))
    assert.deepEqual(new Set(statusesOf(await Promise.all(writes))), new Set([201]))
    for (let at = 0; at < 12; at++)
      assert.deepEqual(statusesOf(await visitEach('demo', `/at-once-${at}`)), [200, 200, 200])
  })

  it('accept a push whose requests go to different nodes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pushed-'))
    // The nodes are in this process, so git must not keep it.
    const git = async (...words: string[]) => {
      const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
      const { code, stdout, stderr } = await run('git', ['-C', folder, ...author, ...words])
      assert.equal(code, 0, stderr)
      return stdout.trim()
    }
    await git('clone', '--quiet', services.cloneUrl(0), '.')
    await git('commit', '--quiet', '--allow-empty', '-m', 'Nothing new')
    await git('push', '--quiet', services.cloneUrl(1), 'HEAD:main')
    assert.equal(
      await git('ls-remote', services.cloneUrl(2), 'main'),
      `${await git('rev-parse', 'HEAD')}\trefs/heads/main`,
    )
    rmSync(folder, { recursive: true, force: true })
  })

  it('continue a deploy on its own node, and say on the others that another one has it', async () => {
    const text = 'deployed'
    const oid = createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex')
    const files = { '/deployed.txt': { oid, size: text.length } }
    const made = await services.ask(1, 'POST', '/deploys', { files })
    const { id } = made.body.data
    assert.match(id, /^00000002/)
    for (const node of [0, 2]) {
      const { body, headers } = await until(
        () => services.ask(node, 'GET', `/deploys/${id}`, undefined, { patienceMs: 0 }),
        (answer) => answer.body.error.code === 'service_busy',
      )
      assert.equal(headers['retry-after'], '1')
      assert.match(body.error.message, /^Another node has this deploy/)
    }
    assert.equal((await services.ask(1, 'GET', `/deploys/${id}`)).status, 200)
    const put = await services.ask(1, 'PUT', `/deploys/${id}/blobs/${oid}`, undefined, { bytes: Buffer.from(text) })
    assert.equal(put.status, 200, put.text)
    assert.equal((await services.ask(1, 'POST', `/deploys/${id}/publish`)).status, 200)
    for (const shown of await visitEach('demo', '/deployed.txt')) assert.equal(shown.text, text)
  })

  it('answer 404 for a deploy that no node has', async () => {
    const unknown = '3f2b8f0e-0b7d-4c6e-9a68-7a54e2b3c1d0'
    assert.deepEqual(statusesOf(await askEach('GET', `/deploys/${unknown}`)), [404, 404, 404])
  })

  it('show a preview on its own node, and say on the others that another one has it', async () => {
    const { body } = await services.ask(2, 'POST', '/pages?dryRun=true', { path: '/new', html: '<p>new' })
    const { host, pathname } = new URL(body.data.dryRun.previewUrl)
    assert.match(host, /^preview--00000003/)
    for (const node of [0, 1])
      await until(
        () => requestAs(services.at(node).port, { path: pathname, host, patienceMs: 0 }),
        ({ status, text }) => status === 503 && text.includes('Another node has this preview'),
      )
    const shown = await requestAs(services.at(2).port, { path: pathname, host })
    assert.deepEqual([shown.status, shown.text], [200, '<p>new'])
  })

  it('are not ready if the disk cannot be written', async () => {
    await services.add({ DISK_RESERVE_BYTES: String(2 ** 52) })
    const port = services.at(3).port
    await until(
      () => requestAs(port, { path: '/readyz' }),
      ({ status, body }) => status === 503 && body.status === 'no disk',
    )
  })

  it('show only public pages while the database is down, and forbid caching them', async () => {
    assert.equal((await ask('PUT', '/pages?path=/old', { html: '<p>old' })).status, 201)
    assert.equal((await services.visit(2, 'demo', '/old')).status, 200)
    await services.database.down('SIGQUIT')
    const old = await services.visit(2, 'demo', '/old')
    assert.deepEqual([old.status, old.text, old.headers['cache-control']], [200, '<p>old', 'no-store'])
    const refused = await services.ask(2, 'PUT', '/pages?path=/old', { html: '<p>new' }, { patienceMs: 0 })
    assert.equal(refused.status, 503)
    await services.database.up()
    await until(
      () => services.ask(2, 'PUT', '/pages?path=/old', { html: '<p>new' }),
      ({ status }) => status === 200,
    )
    assert.notEqual((await services.visit(2, 'demo', '/old')).headers['cache-control'], 'no-store')
  })
})
