import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { codeOf, dataOf, useService } from '../../spec/use-service.js'
import { git } from '../../support/git.js'
import { manifestOf, oidOf, tarEntry, tarOf } from './folder.js'

interface Deploy {
  id: string
  missing: string[]
}

const MAX_FILES = 20_000

describe('bad input to a deploy', () => {
  const service = useService()
  const api = (key?: string) => service().api(key)
  let head = ''

  beforeEach(() => {
    head = git(service().gitdir(), 'rev-parse', 'main')
  })
  afterEach(async () => {
    assert.equal(git(service().gitdir(), 'rev-parse', 'main'), head, 'nothing was published')
    for (const { id } of dataOf<Deploy[]>(await api().get('/deploys'))) await api().delete(`/deploys/${id}`).expect(200)
  })

  const begin = async (files: Record<string, string | Buffer>) =>
    dataOf<Deploy>(
      await api()
        .post('/deploys')
        .send({ files: manifestOf(files) })
        .expect(201),
    )

  it('is refused with its reason if it names one file twice, in another form, or where a folder must be', async () => {
    const cases: [names: string[], refused: RegExp][] = [
      [['caf\u00e9.txt', 'cafe\u0301.txt'], /normal form C/],
      [['/a.txt', 'a.txt'], /the same name as a\.txt/],
      [['', 'a.txt'], /The path is empty/],
      [['f', 'f/g'], /The file f is where its folder must be/],
    ]
    for (const [names, refused] of cases) {
      const files = Object.fromEntries(names.map((name) => [name, { oid: oidOf('x'), size: 1 }]))
      const refusal = await api().post('/deploys').send({ files })
      assert.deepEqual([refusal.status, refused.test(JSON.stringify(refusal.body))], [400, true], names.join(' '))
    }
  })

  it('is refused before anything is accepted if it has one file too many, or no oids and sizes', async () => {
    const entry = { oid: oidOf('x'), size: 1 }
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`m/${at}.txt`, entry]))
    const bodies: object[] = [
      { files: many(MAX_FILES + 1) },
      { files: { 'a.txt': { ...entry, oid: 'main' } } },
      { files: { 'a.txt': { ...entry, size: -1 } } },
      { files: { 'a.txt': { ...entry, size: 1.5 } } },
      { files: { 'a.txt': entry.oid } },
      { files: { 'a.txt': entry }, mode: 'mirror' },
      { files: { 'a.txt': entry }, ifHead: 'main' },
      { files: [entry] },
    ]
    for (const body of bodies) assert.equal(codeOf(await api().post('/deploys').send(body).expect(400)), 'invalid_body')
    const two = { 'a.txt': entry, 'b.txt': { ...entry, size: 2 } }
    assert.equal(codeOf(await api().post('/deploys').send({ files: two }).expect(400)), 'invalid_deploy')
    await api()
      .post('/deploys')
      .send({ files: many(MAX_FILES) })
      .expect(201)
  })

  it('is refused at publishing if it lies about the size of bytes that the site has', async () => {
    await api().put('/files?path=/known.txt').send('known').expect(201)
    head = git(service().gitdir(), 'rev-parse', 'main')
    const files = { 'other.txt': { oid: oidOf('known'), size: 500 } }
    const { id, missing } = dataOf<Deploy>(await api().post('/deploys').send({ files }).expect(201))
    assert.deepEqual(missing, [])
    assert.equal(codeOf(await api().post(`/deploys/${id}/publish`).expect(400)), 'invalid_deploy')
  })

  it('is refused as a whole in a tar: compressed, with long names, or with a size beyond all bounds', async () => {
    const { id, missing } = await begin({ 'one.txt': 'one', 'two.txt': 'two' })
    const [one = ''] = missing
    const good = tarOf({ 'one.txt': 'one', 'two.txt': 'two' }, missing)
    const upload = (tar: Buffer) => api().post(`/deploys/${id}/blobs`).type('application/x-tar').send(tar)
    const bomb = tarEntry(one, Buffer.alloc(0))
    // 8 GiB, the most that a header can say, and nothing behind it.
    bomb.write('77777777777\0', 124, 'latin1')
    const sum = bomb.subarray(0, 512).reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
    bomb.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    const tars: [what: string, tar: Buffer][] = [
      ['one that says 8 GiB', bomb],
      ['a gzipped one', gzipSync(good)],
      ['an extended header', Buffer.concat([tarEntry('pax', Buffer.from('20 size=99999999999\n'), 'x'), good])],
      ['a sparse file', tarEntry(one, Buffer.from('one'), 'S')],
      ['a folder', tarEntry('folder/', Buffer.alloc(0), '5')],
      ['a name that is no oid', Buffer.concat([good.subarray(0, 1024), tarEntry('readme', Buffer.from('x'))])],
    ]
    for (const [what, tar] of tars) {
      const refusal = await upload(tar)
      assert.deepEqual([refusal.status, codeOf(refusal)], [400, 'invalid_body'], what)
    }
    await upload(gzipSync(good)).set('Content-Encoding', 'gzip').expect(415)
    assert.deepEqual(readdirSync(join(service().dataDir, '.uploads', `deploy-${id}`)), ['deploy.json'])
    await upload(good).expect(200)
  })

  it("is answered as not found if it names another workspace's deploy, for any request", async () => {
    const { services } = service().server.service
    const { workspace } = await services.provisioner.createWorkspace('Stranger', 'stranger-deploys')
    const { key } = await service().mint({ workspaceId: workspace.id, scopes: ['admin'] })
    const { id, missing } = await begin({ 'own.txt': 'own' })
    const requests = [
      api(key).get(`/deploys/${id}`),
      api(key).delete(`/deploys/${id}`),
      api(key).put(`/deploys/${id}/blobs/${missing[0]}`).type('application/octet-stream').send('own'),
      api(key)
        .post(`/deploys/${id}/blobs`)
        .send(tarOf({ 'own.txt': 'own' }, missing)),
      api(key).post(`/deploys/${id}/publish`),
      api(key).post(`/deploys/${id}/publish?dryRun=true`),
    ]
    for (const request of requests) assert.equal(codeOf(await request.expect(404)), 'deploy_not_found')
    assert.deepEqual(dataOf<object[]>(await api(key).get('/deploys').expect(200)), [])
    assert.deepEqual(dataOf<Deploy>(await api().get(`/deploys/${id}`).expect(200)).missing, missing)
  })

  it("is refused as unknown if a batch names another workspace's bytes", async () => {
    const { services } = service().server.service
    const { workspace } = await services.provisioner.createWorkspace('Copier', 'copier-deploys')
    const { key } = await service().mint({ workspaceId: workspace.id, scopes: ['write'] })
    await api().put('/files?path=/private.txt').send('private').expect(201)
    head = git(service().gitdir(), 'rev-parse', 'main')
    const operations = [{ op: 'putFile', path: '/mine.txt', oid: oidOf('private') }]
    const [known, unknown] = [operations, [{ ...operations[0], oid: oidOf('never seen') }]].map((tried) =>
      api(key).post('/batch').send({ operations: tried }),
    )
    const answers = [await known, await unknown].map((answer) => [
      answer?.status,
      JSON.stringify(answer?.body).replace(/[0-9a-f]{40}|[0-9a-f-]{36}/g, ''),
    ])
    assert.deepEqual(answers[0], answers[1])
    assert.ok(Number(answers[0]?.[0]) >= 400)
  })
})
