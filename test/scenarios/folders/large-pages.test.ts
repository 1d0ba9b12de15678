// Pages that are larger than `MAX_HTML_BYTES`: every door takes them as files, and none leaves one out.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '../../spec/use-service.js'
import { codeOf, dataOf } from '../../spec/use-service.js'
import { assertSound, git } from '../../support/git.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { type Outcome, runCommand } from '../commands.js'
import { type Folder, manifestOf, oidOf } from '../files/folder.js'

const MAX_HTML_BYTES = 300_000
const MAX_FILE_BYTES = 600_000
const large = (mark: string) => `<title>${mark}</title>`.padEnd(MAX_HTML_BYTES + 1, 'x')
const AS_FILE = /has more than 300000 bytes: it is published as a file\./

describe('a page that is larger than pages may be', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-large-'))
  const client = new RemoteGit()
  let service: TestService

  before(async () => {
    const env = { MAX_HTML_BYTES: String(MAX_HTML_BYTES), MAX_FILE_BYTES: String(MAX_FILE_BYTES) }
    service = await startOwnService({ env })
  })
  after(async () => {
    assertSound(service.gitdir())
    await service.stop()
    client.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const head = () => git(service.gitdir(), 'rev-parse', 'main')
  const palimpsest = (...args: string[]): Promise<Outcome> =>
    runCommand({
      args,
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, BASE_URL: service.origin, SERVICE_API_TOKEN: service.key },
    })
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const pageAt = async (path: string) =>
    dataOf<Page[]>(await service.api().get(`/pages?path=${path}`).expect(200))[0] as Page
  const deploy = async (files: Folder, fields: object = {}) => {
    const opened = await service
      .api()
      .post('/deploys')
      .send({ files: manifestOf(files), ...fields })
      .expect(201)
    const { id, missing } = dataOf<{ id: string; missing: string[] }>(opened)
    for (const content of Object.values(files)) {
      const oid = oidOf(content)
      if (missing.includes(oid))
        await service
          .api()
          .put(`/deploys/${id}/blobs/${oid}`)
          .set('Content-Type', 'application/octet-stream')
          .send(content)
    }
    return dataOf<{ warnings: { path: string; message: string }[] }>(
      await service.api().post(`/deploys/${id}/publish`).expect(200),
    )
  }
  const isServed = async (path: string, html: string) => {
    await service.visit(path).expect(200, html).expect('Content-Type', 'text/html; charset=utf-8')
    await service.visit(`${path}.html`).expect(200, html).expect('Link', `<${path}>; rel="canonical"`)
  }

  it('is published by a folder with a warning, and keeps its id, its versions and its place in lists', async () => {
    write('s/nb.html', '<title>v1</title>')
    assert.equal((await palimpsest('publish', 's', '--delete', '--yes')).code, 0)
    const before = await pageAt('/nb')
    write('s/nb.html', large('v2'))
    const { code, stderr } = await palimpsest('publish', 's', '--delete', '--yes')
    assert.equal(code, 0, stderr)
    assert.match(stderr, /^warning: nb\.html: It has more than 300000 bytes: it is published as a file\./m)
    await isServed('/nb', large('v2'))
    const as = await pageAt('/nb')
    assert.deepEqual([as.id, as.version.number, as['size'], as['status']], [before.id, 2, 300_001, 'published'])
    await service.visit('/sitemap.xml').expect(200, /\/nb</)
    assert.equal(codeOf(await service.api().get(`/pages/${as.id}`).expect(422)), 'too_costly')
    await service.api().get('/files/content?path=/nb.html').expect(200)
    write('s/nb.html', '<title>v3</title>')
    assert.equal((await palimpsest('publish', 's', '--delete', '--yes')).code, 0)
    const back = await pageAt('/nb')
    assert.deepEqual([back.id, back.version.number], [before.id, 3])
    const body = { version: as.version.number }
    await service.api().post(`/pages/${back.id}/rollback`).send(body).expect(200)
    await isServed('/nb', large('v2'))
  })

  it('is published alone by the command line, and pulled again', async () => {
    write('alone.html', large('alone'))
    const { code, stdout, stderr } = await palimpsest('publish', 'alone.html')
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^created\t\/alone\.html\t/)
    assert.match(stderr, AS_FILE)
    await isServed('/alone', large('alone'))
    const pulled = await palimpsest('pull', '/alone', '--output', 'pulled')
    assert.equal(pulled.code, 0, pulled.stderr)
    assert.equal(readFileSync(join(folder, 'pulled/alone.html'), 'utf8'), large('alone'))
  })

  for (const skipInvalid of [false, true])
    it(`is published by a deploy with skipInvalid ${skipInvalid}, with a warning`, async () => {
      const html = large(`deployed ${skipInvalid}`)
      const { warnings } = await deploy({ 'd.html': html }, { skipInvalid })
      assert.match(warnings.find(({ path }) => path === 'd.html')?.message ?? '', AS_FILE)
      await isServed('/d', html)
    })

  for (const skipInvalid of [false, true])
    it(`refuses the whole deploy with skipInvalid ${skipInvalid} if it is larger than files may be`, async () => {
      const before = head()
      const files = {
        'ok.txt': 'fine',
        'big.html': 'x'.repeat(MAX_FILE_BYTES + 1),
        'big.mp4': 'y'.repeat(MAX_FILE_BYTES + 1),
      }
      const refusal = await service
        .api()
        .post('/deploys')
        .send({ files: manifestOf(files), skipInvalid })
        .expect(400)
      const { error } = refusal.body as { error: { code: string; details: { problems: object[] } } }
      assert.equal(error.code, 'invalid_deploy')
      assert.deepEqual(error.details.problems, [
        { path: 'big.html', message: 'It has 600001 bytes: a file has at most 600000.' },
        { path: 'big.mp4', message: 'It has 600001 bytes: a file has at most 600000.' },
      ])
      assert.equal(head(), before)
    })

  it('ends publish with 1 and publishes nothing if it is larger than files may be, and names file and limit', async () => {
    const before = head()
    write('v/index.html', '<title>home</title>')
    write('v/video.mp4', 'y'.repeat(MAX_FILE_BYTES + 1))
    const one = await palimpsest('publish', 'v')
    assert.equal(one.code, 1)
    assert.match(one.stderr, /video\.mp4: It has 600001 bytes: a file has at most 600000\./)
    write('v/other.html', 'y'.repeat(MAX_FILE_BYTES + 1))
    const two = await palimpsest('publish', 'v', '--delete', '--yes')
    assert.equal(two.code, 1)
    for (const name of ['video.mp4', 'other.html'])
      assert.match(two.stderr, new RegExp(`^${name}: It has 600001 bytes`, 'm'))
    assert.equal(head(), before)
  })

  it('is put as a file, and a smaller page is not', async () => {
    const put = (html: string) => service.api().put('/files?path=/put.html').set('Content-Type', 'text/html').send(html)
    const stream = async (html: string) => {
      const headers = { Authorization: `Bearer ${service.key}` }
      const body = new Blob([html]).stream()
      const url = `${service.origin}/api/v1/files?path=/put.html`
      const answer = await fetch(url, { method: 'PUT', headers, body, duplex: 'half' })
      return { status: answer.status, text: await answer.text() }
    }
    assert.match(
      JSON.stringify((await put('<p>small').expect(400)).body),
      /is the page \/put: write it with PUT \/pages/,
    )
    assert.match((await stream('<p>small')).text, /"invalid_path"/)
    const made = dataOf<{ path: string; warnings: object[] }>(await put(large('put')).expect(201))
    assert.deepEqual([made.path, AS_FILE.test(JSON.stringify(made.warnings))], ['/put.html', true])
    await isServed('/put', large('put'))
    assert.match((await stream(large('put'))).text, /"changed":false/)
    await put(large('more')).expect(200)
    const { version } = await pageAt('/put')
    assert.equal(version.number, 2)
    const tooLong = await service
      .api()
      .put('/pages?path=/put')
      .send({ html: large('put') })
      .expect(413)
    assert.match(JSON.stringify(tooLong.body), /PUT \/files and deploys publish a larger page as a file/)
  })

  it('is put as a file where a page may be, and nowhere else', async () => {
    await service.api().put('/pages?path=/twin/').send({ html: '<p>twin' }).expect(201)
    const refusal = await service
      .api()
      .put('/files?path=/twin.html')
      .send(Buffer.from(large('twin')))
      .expect(409)
    assert.match(JSON.stringify(refusal.body), /The path \/twin is not free: the page \/twin\/ answers there/)
  })

  it('is put by a batch by its oid, once in a batch, and the repeated batch has the same answer', async () => {
    await deploy({ 'source.txt': large('batch') })
    const oid = oidOf(large('batch'))
    const put = { op: 'putFile', path: '/batch.html', oid }
    const twice = [put, { op: 'putPage', path: '/batch', html: '<p>small' }]
    assert.equal(codeOf(await service.api().post('/batch').send({ operations: twice }).expect(409)), 'batch_refused')
    const small = [{ op: 'putFile', path: '/batch.html', text: '<p>small' }]
    assert.match(
      JSON.stringify((await service.api().post('/batch').send({ operations: small })).body),
      /is the page \/batch/,
    )
    const send = () =>
      service
        .api()
        .post('/batch')
        .set('Idempotency-Key', 'large')
        .send({ operations: [put] })
        .expect(200)
    const first = dataOf<{ items: object[] }>(await send())
    assert.match(JSON.stringify(first.items), AS_FILE)
    assert.deepEqual(dataOf(await send()), first)
    await isServed('/batch', large('batch'))
    const file = { path: '/posted.html', oid }
    const post = () => service.api().post('/files').set('Idempotency-Key', 'posted').send(file).expect(201)
    const posted = dataOf(await post())
    assert.deepEqual(dataOf(await post()), posted)
  })

  it('is pushed over HTTP with a line that says so, unless it is larger than files may be', async () => {
    const url = `http://any:${service.key}@127.0.0.1:${service.server.port}/git/demo.git`
    await client.run('clone', '--quiet', url, 'site')
    writeFileSync(client.path('site/pushed.html'), large('pushed'))
    await client.in('site', 'add', '--all')
    await client.in('site', 'commit', '--quiet', '-m', 'Large')
    const { ok, stderr } = await client.attempt('-C', client.path('site'), 'push', 'origin', 'main')
    assert.ok(ok, stderr)
    assert.match(stderr, /pushed\.html: It has more than 300000 bytes: it is published as a file\./)
    await isServed('/pushed', large('pushed'))
    writeFileSync(client.path('site/pushed.html'), 'x'.repeat(MAX_FILE_BYTES + 1))
    await client.in('site', 'commit', '--quiet', '-am', 'Too large')
    const refused = await client.attempt('-C', client.path('site'), 'push', 'origin', 'main')
    assert.match(refused.stderr, /pushed\.html has 600001 bytes: at most 600000 are accepted/)
  })
})
