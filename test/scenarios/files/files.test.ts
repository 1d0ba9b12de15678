import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { codeOf, dataOf, useService } from '../../spec/use-service.js'
import { assertSound, git } from '../../support/git.js'
import { PATIENCE_MS, within } from '../../support/within.js'

interface File {
  path: string
  url: string | null
  oid: string
  size: number
  mediaType: string
  updatedAt: string
  commit?: string
  changed?: false
  dryRun?: { files: object[]; previewUrl: string | null }
}

const MIB = 1024 * 1024
const oidOf = (bytes: Buffer) => createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
const queryOf = (path: string, more = '') => `/files?path=${encodeURIComponent(path)}${more}`

describe('files over the API', () => {
  const service = useService()
  /** Leftovers of single uploads; deploys of other workspaces have folders of their own. */
  const uploads = () => readdirSync(join(service().dataDir, '.uploads')).filter((name) => !name.startsWith('deploy-'))
  const put = (path: string, bytes: string | Buffer, more = '') =>
    service().api().put(queryOf(path, more)).type('application/octet-stream').send(Buffer.from(bytes))
  const content = async (path: string, headers: Record<string, string> = {}) => {
    const url = `${service().origin}/api/v1/files/content?path=${encodeURIComponent(path)}`
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${service().key}`, ...headers } })
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const assertMissing = async (path: string) => assert.equal((await content(path)).status, 404)

  it('are put with any media type, served at once, listed and read', async () => {
    const answer = await put('/img/logo.svg', '<svg/>').expect(201)
    const { commit, ...file } = dataOf<File>(answer)
    assert.match(commit ?? '', /^[0-9a-f]{40}$/)
    assert.deepEqual(
      [file.path, file.oid, file.size, file.mediaType],
      ['/img/logo.svg', oidOf(Buffer.from('<svg/>')), 6, 'image/svg+xml'],
    )
    assert.equal(answer.get('ETag'), `"${file.oid}"`)
    await service().visit('/img/logo.svg').expect(200)
    assert.deepEqual(dataOf<File[]>(await service().api().get('/files?prefix=/img/').expect(200)), [file])
    const read = await content('/img/logo.svg')
    assert.deepEqual(
      [read.status, read.headers.get('Content-Type'), String(read.bytes)],
      [200, 'image/svg+xml', '<svg/>'],
    )
    assert.equal(dataOf<File>(await put('/img/logo.svg', '<svg/>').expect(200)).changed, false)
  })

  it('are stored by git and read by range if they have many megabytes, with and without a length', async () => {
    const bytes = randomBytes(5 * MIB + 17)
    await put('/big/sized.bin', bytes).expect(201)
    assert.equal(await putChunked('/big/chunked.bin', bytes), 201)
    const gitdir = service().gitdir()
    for (const name of ['big/sized.bin', 'big/chunked.bin'])
      assert.equal(git(gitdir, 'rev-parse', `main:${name}`), oidOf(bytes))
    assertSound(gitdir)
    assert.ok((await content('/big/sized.bin')).bytes.equals(bytes))
    for (const [range, from, to] of [
      ['bytes=0-9', 0, 10],
      ['bytes=-7', bytes.length - 7, bytes.length],
      ['bytes=65530-131080', 65_530, 131_081],
      ['bytes=3000000-', 3_000_000, bytes.length],
    ] as const) {
      const part = await content('/big/chunked.bin', { Range: range })
      assert.ok(part.status === 206 && part.bytes.equals(bytes.subarray(from, to)), range)
      assert.equal(part.headers.get('Content-Range'), `bytes ${from}-${to - 1}/${bytes.length}`)
    }
    const conditions = [
      [{ Range: 'bytes=99999999-' }, 416],
      [{ 'If-None-Match': `"${oidOf(bytes)}"` }, 304],
      [{ 'If-Match': '"no"' }, 412],
    ] as const
    for (const [fields, status] of conditions) assert.equal((await content('/big/sized.bin', fields)).status, status)
    assert.deepEqual(uploads(), [])
  })

  it('are written only under the condition that the client sets', async () => {
    const first = dataOf<File>(await put('/cond.txt', 'one').set('If-None-Match', '*').expect(201))
    await put('/cond.txt', 'two').set('If-None-Match', '*').expect(412)
    const stale = await put('/cond.txt', 'two')
      .set('If-Match', `"${'0'.repeat(40)}"`)
      .expect(412)
    assert.equal(stale.get('ETag'), `"${first.oid}"`)
    await put('/cond.txt', 'two').set('If-Match', `"${first.oid}"`).expect(200)
    await service().api().delete(queryOf('/cond.txt')).set('If-Match', `"${first.oid}"`).expect(412)
    await service().api().delete(queryOf('/cond.txt')).expect(200)
    await service().api().delete(queryOf('/cond.txt')).expect(404)
    await assertMissing('/cond.txt')
  })

  it('have versions, come back by a rollback, and move', async () => {
    await put('/v.txt', 'one').expect(201)
    await put('/v.txt', 'two').expect(200)
    await service().api().delete(queryOf('/v.txt')).expect(200)
    const api = service().api()
    const versions = dataOf<{ number: number; action: string }[]>(
      await api.get('/files/versions?path=/v.txt').expect(200),
    )
    assert.deepEqual(
      versions.map(({ number, action }) => [number, action]),
      [
        [3, 'delete'],
        [2, 'replace'],
        [1, 'add'],
      ],
    )
    const key = 'rollback-1'
    for (const _ of [1, 2]) {
      const back = await api.post('/files/rollback').set('Idempotency-Key', key).send({ path: '/v.txt', version: 1 })
      assert.equal(back.status, 200)
      assert.equal(dataOf<File>(back).oid, oidOf(Buffer.from('one')))
    }
    await api.post('/files/move').send({ from: '/v.txt', to: '/w/v.txt' }).expect(201)
    assert.equal(String((await content('/w/v.txt')).bytes), 'one')
    await assertMissing('/v.txt')
    assert.equal(dataOf<unknown[]>(await api.get('/files/versions?path=/v.txt')).length, 5)
  })

  it('are rolled back over more than a hundred versions by one commit, which names the newest and counts the others', async () => {
    for (let version = 1; version <= 103; version++) await put('/many.txt', `version ${version}`)
    await service().api().post('/files/rollback').send({ path: '/many.txt', version: 1 }).expect(200)
    const message = git(service().gitdir(), 'log', '-1', '--format=%B', 'main')
    assert.equal(message.match(/^This reverts commit /gm)?.length, 100)
    assert.match(message, /^And 2 earlier commits\.$/m)
  })

  it('are shown by a dry run, which writes nothing', async () => {
    const head = git(service().gitdir(), 'rev-parse', 'main')
    const shown = dataOf<File>(await put('/dry.css', 'a{}', '&dryRun=true').expect(200))
    assert.deepEqual(shown.dryRun?.files, [{ path: 'dry.css', change: 'added' }])
    assert.ok(shown.dryRun.previewUrl)
    const large = dataOf<File>(await put('/dry.bin', randomBytes(2 * MIB), '&dryRun=true').expect(200))
    assert.equal(large.size, 2 * MIB)
    assert.equal(git(service().gitdir(), 'rev-parse', 'main'), head)
  })

  it('are created and moved once for each idempotency key, and answered alike', async () => {
    const twice = async (route: string, body: object) => {
      const key = `twice-${route}`
      const send = () => service().api().post(route).set('Idempotency-Key', key).send(body).expect(201)
      const [first, second] = [await send(), await send()]
      assert.deepEqual([second.body, second.get('Location')], [first.body, first.get('Location')])
    }
    await twice('/files', { path: '/once.txt', text: 'once' })
    await twice('/files/move', { from: '/once.txt', to: '/moved-once.txt' })
    await assertMissing('/once.txt')
  })

  it('are refused with every wrong line if they are rules, unless the client insists', async () => {
    const refusal = await put('/_redirects', '/a /b\nnonsense\n/c\n').expect(400)
    assert.equal(codeOf(refusal), 'invalid_rules')
    const { lines } = (refusal.body as { error: { details: { lines: { line: number }[] } } }).error.details
    assert.deepEqual(
      lines.map(({ line }) => line),
      [2, 3],
    )
    assert.equal(dataOf<File>(await put('/_redirects', '/a /b\nnonsense\n', '&force=true').expect(201)).url, null)
    await service().visit('/a').expect(301)
  })

  it('are refused with every wrong line if a move makes them rules, unless the client insists', async () => {
    await put('/rules.txt', '/* \n  X-Frame-Options: DENY\nnonsense: x\n').expect(201)
    const move = { from: '/rules.txt', to: '/_headers' }
    const refusal = await service().api().post('/files/move').send(move).expect(400)
    assert.equal(codeOf(refusal), 'invalid_rules')
    await service().api().post('/files/move?dryRun=true').send(move).expect(400)
    await service()
      .api()
      .post('/files/move')
      .send({ ...move, force: true })
      .expect(201)
    await service().api().post('/files/move').send({ from: '/_headers', to: '/rules.txt' }).expect(201)
  })

  it('are refused with a clear reason if their path means something else', async () => {
    await service().api().put('/pages?path=/taken').type('text/html').send('<p>x').expect(201)
    const cases: [path: string, status: number, code: string][] = [
      ['/about.html', 400, 'invalid_path'],
      ['/.site.json', 400, 'invalid_path'],
      ['/a/../b', 400, 'invalid_path'],
      ['/con', 400, 'invalid_path'],
      ['/taken', 409, 'path_conflict'],
      ['/IMG/logo.svg', 409, 'path_conflict'],
      ['/img', 409, 'path_conflict'],
    ]
    for (const [path, status, code] of cases) {
      const refusal = await put(path, 'x')
      assert.deepEqual([refusal.status, codeOf(refusal)], [status, code], path)
    }
    await assertMissing('/.site.json')
    assert.equal(String((await content('/taken.html')).bytes), '<p>x')
  })

  it('change with pages in one commit by a batch, from text, base64 and the oid of known bytes', async () => {
    const known = dataOf<File>(await put('/batch/known.bin', randomBytes(1_300_000)).expect(201))
    const operations = [
      { op: 'putPage', path: '/batch', html: '<img src="/batch/a.svg">' },
      { op: 'putFile', path: '/batch/a.svg', text: '<svg/>' },
      { op: 'putFile', path: '/batch/b.bin', base64: Buffer.from([0, 1, 2]).toString('base64') },
      { op: 'putFile', path: '/batch/c.bin', oid: known.oid },
      { op: 'deleteFile', path: '/batch/known.bin' },
    ]
    const shown = await service().api().post('/batch?dryRun=true').send({ operations }).expect(200)
    const key = { 'Idempotency-Key': 'batch-of-files' }
    const done = await service().api().post('/batch').set(key).send({ operations }).expect(200)
    assert.deepEqual(dataOf<{ items: object[] }>(shown).items.length, 5)
    assert.deepEqual((await service().api().post('/batch').set(key).send({ operations }).expect(200)).body, done.body)
    assert.equal(git(service().gitdir(), 'log', '-1', '--format=%s', 'main'), 'Change 1 page and 4 files')
    assert.equal(String((await content('/batch/a.svg')).bytes), '<svg/>')
    assert.deepEqual([...(await content('/batch/b.bin')).bytes], [0, 1, 2])
    assert.equal((await content('/batch/c.bin')).bytes.length, 1_300_000)
    await assertMissing('/batch/known.bin')
    const wrong = [
      { op: 'putFile', path: '/x.bin', oid: '0'.repeat(40) },
      { op: 'putFile', path: '/y.bin' },
      { op: 'putFile', path: '/z.bin', base64: '***' },
    ]
    assert.equal(codeOf(await service().api().post('/batch').send({ operations: wrong }).expect(409)), 'batch_refused')
  })

  it('are not taken for pages if curl sends one to /pages', async () => {
    const { origin, key } = service()
    for (const [path, status] of [
      ['/style.css', 415],
      ['/_redirects', 415],
      ['/plain-page', 201],
    ] as const) {
      const headers = { Authorization: `Bearer ${key}` }
      const body = Buffer.from('x')
      const answer = await fetch(`${origin}/api/v1/pages?path=${path}`, { method: 'PUT', headers, body })
      assert.equal(answer.status, status, path)
    }
  })

  it('are refused past the limit, by their length or as they arrive', async () => {
    const declared = await requestPut('/huge.bin', { 'Content-Length': String(64 * MIB + 1) }, Buffer.alloc(10))
    assert.equal(declared, 413)
    assert.equal(await putChunked('/huge.bin', Buffer.alloc(64 * MIB + 1)), 413)
    assert.deepEqual(uploads(), [])
  })

  it('leave nothing behind if their upload is broken off', async () => {
    const { port } = service().server
    const path = `/api/v1${queryOf('/cut.bin')}`
    const headers = { Authorization: `Bearer ${service().key}`, 'Content-Length': String(8 * MIB) }
    const upload = request({ port, method: 'PUT', path, headers })
    upload.on('error', () => undefined)
    await new Promise<void>((resolve) => upload.write(Buffer.alloc(4 * MIB), () => resolve()))
    upload.destroy()
    await within(PATIENCE_MS, () => assert.deepEqual(uploads(), []))
    await assertMissing('/cut.bin')
  })

  const putChunked = (path: string, bytes: Buffer) => requestPut(path, { 'Transfer-Encoding': 'chunked' }, bytes)

  function requestPut(path: string, fields: Record<string, string>, bytes: Buffer): Promise<number> {
    const { port } = service().server
    const headers = { Authorization: `Bearer ${service().key}`, ...fields }
    return new Promise((resolve, reject) => {
      const upload = request(
        { port, method: 'PUT', path: `/api/v1${queryOf(path)}`, headers, agent: false },
        (answer) => {
          answer.resume()
          resolve(answer.statusCode ?? 0)
        },
      )
      upload.on(
        'error',
        (error: NodeJS.ErrnoException) => error.code !== 'EPIPE' && error.code !== 'ECONNRESET' && reject(error),
      )
      upload.end(bytes)
    })
  }
})
