import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type supertest from 'supertest'
import { codeOf, dataOf, UNKNOWN_ID, useService } from '../../spec/use-service.js'
import { assertSound, git } from '../../support/git.js'
import { type Folder, manifestOf, oidOf, tarEntry, tarOf } from './folder.js'

interface Deploy {
  id: string
  state: string
  missing: string[]
  commit: string | null
}

interface Published {
  commit: string | null
  changed: boolean
  created: number
  replaced: number
  unchanged: number
  removed: number
  warnings: { path: string; line?: number }[]
  previewUrl?: string
}

describe('a deploy', () => {
  const service = useService()
  const api = () => service().api()
  const begin = (files: Folder, more: object = {}) =>
    api()
      .post('/deploys')
      .send({ files: manifestOf(files), ...more })
  const upload = (id: string, tar: Buffer) => api().post(`/deploys/${id}/blobs`).type('application/x-tar').send(tar)
  const publish = (id: string, more = '') => api().post(`/deploys/${id}/publish${more}`)
  const main = (...args: string[]) => git(service().gitdir(), ...args)
  const listed = () =>
    main('ls-tree', '-r', '--name-only', 'main')
      .split('\n')
      .filter((name) => !name.startsWith('.'))

  async function deploy(files: Folder, more: object = {}): Promise<Published> {
    const { id, missing } = dataOf<Deploy>(await begin(files, more).expect(201))
    if (missing.length > 0) await upload(id, tarOf(files, missing)).expect(200)
    return dataOf<Published>(await publish(id).expect(200))
  }

  const site: Folder = {
    'index.html': '<h1>Home</h1>',
    'docs/intro.html': '<title>Intro</title>',
    'css/site.css': 'body { color: red }',
    'img/photo.jpg': randomBytes(2_500_000),
    _redirects: '/old /docs/intro\nnonsense\n/c /:d\n',
  }

  it('publishes a folder as one commit, with ids for its pages, and warns of wrong lines', async () => {
    const before = Number(main('rev-list', '--count', 'main'))
    const made = dataOf<Deploy>(await begin(site, { message: 'First' }).expect(201))
    assert.equal(made.missing.length, 5)
    const [first = ''] = made.missing
    const bytes = Buffer.from(Object.values(site).find((content) => oidOf(content) === first) ?? '')
    await api().put(`/deploys/${made.id}/blobs/${first}`).type('application/octet-stream').send(bytes).expect(200)
    const { missing } = dataOf<Deploy>(await api().get(`/deploys/${made.id}`).expect(200))
    assert.equal(missing.length, 4)
    await publish(made.id).expect(409)
    await upload(made.id, tarOf(site, missing)).expect(200)
    const done = dataOf<Published>(await publish(made.id).expect(200))
    // The first start published a welcome page at /.
    assert.deepEqual([done.created, done.replaced, done.unchanged, done.removed], [4, 1, 0, 0])
    assert.deepEqual(
      done.warnings.map(({ path, line }) => [path, line]),
      [
        ['_redirects', 2],
        ['_redirects', 3],
      ],
    )
    assert.equal(Number(main('rev-list', '--count', 'main')), before + 1)
    assert.match(
      main('log', '-1', '--format=%B', 'main'),
      new RegExp(`^First\n\n[^]*Operation: Deploy 5 files[^]*Deploy-Id: ${made.id}`),
    )
    assertSound(service().gitdir())
    for (const [name, content] of Object.entries(site)) assert.equal(main('rev-parse', `main:${name}`), oidOf(content))
    await service().visit('/docs/intro').expect(200)
    await service().visit('/old').expect(301)
    const pages = dataOf<{ path: string; title: string }[]>(await api().get('/pages?prefix=/docs/').expect(200))
    assert.deepEqual(
      pages.map(({ path, title }) => [path, title]),
      [['/docs/intro', 'Intro']],
    )
    assert.equal(main('grep', '-l', '/docs/intro', 'main', '--', '.pages').split('\n').length, 1)
  })

  it('makes one commit with one answer if published twice, and lacks nothing when it is made again', async () => {
    const files = { 'twice.txt': 'once' }
    const { id, missing } = dataOf<Deploy>(await begin(files).expect(201))
    await upload(id, tarOf(files, missing)).expect(200)
    const answers = await Promise.all([publish(id), publish(id), publish(id)])
    const [one, ...others] = answers.map((answer) => dataOf<Published>(answer))
    assert.ok(one?.changed && one.created === 1)
    for (const other of others) assert.deepEqual(other, one)
    assert.equal(main('log', '--oneline', `--grep=Deploy-Id: ${id}`, 'main').split('\n').length, 1)
    assert.equal(dataOf<Deploy>(await api().get(`/deploys/${id}`)).state, 'published')
    const again = dataOf<Deploy>(await begin(files).expect(201))
    assert.deepEqual(again.missing, [])
    const nothing = dataOf<Published>(await publish(again.id).expect(200))
    assert.deepEqual([nothing.changed, nothing.commit, nothing.unchanged], [false, null, 1])
    assert.deepEqual(dataOf<Published>(await publish(again.id).expect(200)), nothing)
  })

  it('unpublishes pages and removes files in mode replace, keeps ids, and leaves records alone', async () => {
    await deploy({ 'keep/a.html': 'a', 'keep/b.html': 'b', 'keep/c.png': 'c' })
    const [page] = dataOf<{ id: string }[]>(await api().get('/pages?path=/keep/b'))
    await api().post('/collections').send({ name: 'kept' }).expect(201)
    const done = await deploy({ 'keep/a.html': 'a2', 'new.txt': 'n' }, { mode: 'replace' })
    assert.deepEqual([done.created, done.replaced], [1, 1])
    assert.deepEqual(
      listed().filter((name) => !name.startsWith('collections/')),
      ['keep/a.html', 'new.txt'],
    )
    assert.ok(main('ls-tree', '-r', '--name-only', 'main').includes('collections/'))
    await deploy({ 'keep/b.html': 'b again' })
    assert.deepEqual(dataOf<{ id: string }[]>(await api().get('/pages?path=/keep/b'))[0]?.id, page?.id)
  })

  it('unpublishes pages whose paths are too long for a file name in mode replace, and counts them', async () => {
    const path = `/long/${'x'.repeat(300)}`
    await api().put(`/pages?path=${path}`).send({ html: 'long' }).expect(201)
    await deploy({ 'short.html': 's' })
    await service().visit(path).expect(200)
    const others = listed().filter((name) => !name.startsWith('collections/') && name !== 'short.html').length
    const { removed } = await deploy({ 'short.html': 's' }, { mode: 'replace' })
    assert.equal(removed, others + 1)
    await service().visit(path).expect(404)
    assertSound(service().gitdir())
  })

  it('changes the case of names, and replaces folders by files and files by folders', async () => {
    await deploy({ 'swap/Logo.svg': 'x', 'swap/a/b.txt': 'b', 'swap/c': 'c' }, { mode: 'replace' })
    await deploy({ 'swap/logo.svg': 'x', 'swap/a': 'file', 'swap/c/d.txt': 'd' }, { mode: 'replace' })
    assert.deepEqual(
      listed().filter((name) => name.startsWith('swap/')),
      ['swap/a', 'swap/c/d.txt', 'swap/logo.svg'],
    )
  })

  it('shows the whole site in a dry run from the uploads, and writes nothing', async () => {
    const files = { 'preview.html': '<p>soon</p>', 'preview.bin': randomBytes(1_200_000) }
    const { id, missing } = dataOf<Deploy>(await begin(files).expect(201))
    await upload(id, tarOf(files, missing)).expect(200)
    const head = main('rev-parse', 'main')
    const shown = dataOf<Published>(await publish(id, '?dryRun=true').expect(200))
    assert.deepEqual([shown.changed, shown.commit, shown.created], [true, null, 2])
    const { host } = new URL(shown.previewUrl ?? '')
    const answers = await Promise.all(['/preview', '/preview.bin'].map((path) => previewOf(path, host)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    assert.ok(answers[1]?.bytes.equals(files['preview.bin']))
    assert.equal(main('rev-parse', 'main'), head)
  })

  it('is refused by ifHead with the changes since', async () => {
    const ifHead = main('rev-parse', 'main')
    const files = { 'if-head.txt': 'one' }
    const { id, missing } = dataOf<Deploy>(await begin(files, { ifHead }).expect(201))
    await upload(id, tarOf(files, missing)).expect(200)
    await api().put('/files?path=/between.txt').send('between').expect(201)
    const refusal = await publish(id).expect(412)
    const { files: changed } = (refusal.body as { error: { details: { files: object[] } } }).error.details
    assert.deepEqual(changed, [{ path: 'between.txt', change: 'added' }])
  })

  it('refuses all invalid names at once, each with its reason', async () => {
    const size = 1
    const oid = oidOf('x')
    const names = ['.env', 'a/../b', 'con', 'collections/x.json', 'A.txt', 'a.txt', 'f', 'f/g', '/a.txt', '.site.json']
    const files = Object.fromEntries(names.map((name) => [name, { oid, size }]))
    const refusal = await api().post('/deploys').send({ files }).expect(400)
    assert.equal(codeOf(refusal), 'invalid_deploy')
    assert.deepEqual(problemsOf(refusal), ['.env', '.site.json', 'a.txt', 'a/../b', 'collections/x.json', 'con', 'f/g'])
    const large = { 'big.bin': { oid, size: 64 * 1024 * 1024 + 1 }, 'big.html': { oid: oidOf('y'), size: 20_000_000 } }
    assert.deepEqual(problemsOf(await api().post('/deploys').send({ files: large }).expect(400)), ['big.bin'])
    const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`${at}.txt`, { oid, size }]))
    assert.equal(codeOf(await api().post('/deploys').send({ files: many }).expect(400)), 'invalid_body')
  })

  it('refuses the same pages as PUT: empty ones before anything is uploaded, others by their bytes', async () => {
    const latin = Buffer.from('caf\xe9', 'latin1')
    const refusal = await begin({ 'empty.html': '', 'empty.txt': '', 'latin.html': latin }).expect(400)
    assert.deepEqual(problemsOf(refusal), ['empty.html'])
    const { id, missing } = dataOf<Deploy>(await begin({ 'latin.html': latin, 'latin.txt': latin }).expect(201))
    await upload(id, tarOf({ 'latin.html': latin }, missing)).expect(200)
    const before = main('rev-parse', 'main')
    for (const way of ['?dryRun=true', '']) {
      const wrong = await publish(id, way).expect(400)
      assert.deepEqual([codeOf(wrong), problemsOf(wrong)], ['invalid_deploy', ['latin.html']])
    }
    assert.equal(main('rev-parse', 'main'), before)
    await api().delete(`/deploys/${id}`).expect(200)
  })

  it('refuses all places that a tree cannot hold, before anything is uploaded', async () => {
    await deploy({ 'place/dir/x.txt': 'x', 'place/file': 'x' })
    const refusal = await begin({ 'place/dir': 'b', 'place/file/y.txt': 'c' })
    assert.equal(refusal.status, 409)
    const { conflicts } = (refusal.body as { error: { details: { conflicts: { path: string }[] } } }).error.details
    assert.deepEqual(conflicts.map(({ path }) => path).toSorted(), ['place/dir', 'place/file/y.txt'])
  })

  it('accepts only the bytes of its manifest, and only a tar of plain files', async () => {
    const files = { 'bytes.txt': 'bytes' }
    const oid = oidOf('bytes')
    const { id } = dataOf<Deploy>(await begin(files).expect(201))
    const put = (of: string, bytes: string) => api().put(`/deploys/${id}/blobs/${of}`).type('text/plain').send(bytes)
    for (const refused of [put(oid, 'other'), put(oid, 'bytes and more'), put(oidOf('other'), 'other')])
      assert.equal(codeOf(await refused.expect(400)), 'invalid_body')
    const entry = Buffer.from('bytes')
    const tars: [what: string, tar: Buffer][] = [
      ['a path', tarEntry('../../etc/passwd', entry)],
      ['a symbolic link', tarEntry(oid, Buffer.alloc(0), '2')],
      ['a hard link', tarEntry(oid, Buffer.alloc(0), '1')],
      ['a device', tarEntry(oid, Buffer.alloc(0), '3')],
      ['a long name', tarEntry('././@LongLink', Buffer.alloc(5), 'L')],
      ['another size', tarEntry(oid, Buffer.from('bytes and more'))],
      ['other bytes', tarEntry(oid, Buffer.from('bytez'))],
      ['a cut', tarEntry(oid, entry).subarray(0, 514)],
      ['no tar', Buffer.alloc(600, 'x')],
    ]
    for (const [what, tar] of tars) {
      const refusal = await upload(id, tar)
      assert.deepEqual([refusal.status, codeOf(refusal)], [400, 'invalid_body'], what)
    }
    const folder = join(service().dataDir, '.uploads', `deploy-${id}`)
    assert.deepEqual(readdirSync(folder), ['deploy.json'])
    assert.deepEqual(dataOf<Deploy>(await api().get(`/deploys/${id}`)).missing, [oid])
    await api().delete(`/deploys/${id}`).expect(200)
    await api().get(`/deploys/${id}`).expect(404)
    assert.equal(readdirSync(join(service().dataDir, '.uploads')).includes(`deploy-${id}`), false)
  })

  it('is open only to its workspace, and lacks blobs that only another site or a lost commit has', async () => {
    const { services } = service().server.service
    const other = await services.provisioner.createWorkspace('Other', 'other-deploys')
    const { key } = await service().mint({ workspaceId: other.workspace.id, scopes: ['write'] })
    const { id } = dataOf<Deploy>(await begin({ 'own.txt': 'secret bytes' }).expect(201))
    for (const path of [`/deploys/${id}`, `/deploys/${UNKNOWN_ID}`])
      assert.equal(codeOf(await service().api(key).get(path).expect(404)), 'deploy_not_found')
    await service().api(key).post(`/deploys/${id}/publish`).expect(404)
    await api().put('/files?path=/held-here.txt').send('held here').expect(201)
    const answer = await service()
      .api(key)
      .post('/deploys')
      .send({ files: manifestOf({ 'a.txt': 'held here' }) })
      .expect(201)
    assert.deepEqual(dataOf<Deploy>(answer).missing, [oidOf('held here')])
    const unreached = git(service().gitdir(), 'hash-object', '-w', join(service().dataDir, 'catalog.db')).trim()
    const lost = await api()
      .post('/deploys')
      .send({ files: { 'lost.bin': { oid: unreached, size: 1 } } })
      .expect(201)
    assert.deepEqual(dataOf<Deploy>(lost).missing, [unreached])
    for (const made of [id, dataOf<Deploy>(lost).id]) await api().delete(`/deploys/${made}`).expect(200)
  })

  it('is limited to five open ones, and is found again by its idempotency key', async () => {
    for (const { id, state } of dataOf<Deploy[]>(await api().get('/deploys').expect(200)))
      if (state === 'open') await api().delete(`/deploys/${id}`).expect(200)
    const key = { 'Idempotency-Key': 'same-deploy' }
    const [one, two] = [await begin({ 'n.txt': 'n' }).set(key), await begin({ 'n.txt': 'n' }).set(key)]
    assert.equal(dataOf<Deploy>(one).id, dataOf<Deploy>(two).id)
    for (let made = 1; made < 5; made++) await begin({ 'n.txt': `n${made}` }).expect(201)
    assert.equal(codeOf(await begin({ 'n.txt': 'last' }).expect(409)), 'too_many_deploys')
  })

  async function previewOf(path: string, host: string): Promise<{ status: number; bytes: Buffer }> {
    const { port } = service().server
    return await new Promise((resolve, reject) => {
      const asked = request({ port, path, headers: { Host: host } }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, bytes: Buffer.concat(chunks) }))
      })
      asked.on('error', reject).end()
    })
  }

  function problemsOf(refusal: supertest.Response): string[] {
    const { problems } = (refusal.body as { error: { details: { problems: { path: string }[] } } }).error.details
    return problems.map(({ path }) => path).toSorted()
  }
})
