import assert from 'node:assert/strict'
import { oidOf } from '../../../src/protocols/client/client.js'
import { flipByteOf } from '../../support/damage.js'
import { git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { put } from '../client.js'

const page = (words: string) => `<!doctype html><title>${words}</title><p>${words}</p><a href="/nowhere">x</a>`

describe('a page whose bytes the disk has damaged', () => {
  let service: TestService
  let id: string
  let repair: () => void
  before(async () => {
    service = await startOwnService()
  })
  afterEach(() => repair())
  after(() => service.stop())

  /** Damages the bytes of a new page. */
  async function damage(path: string): Promise<void> {
    const old = await put(service.api(), path, page(`Old ${path} ${'x'.repeat(300)}`))
    id = old.id
    repair = flipByteOf(service.gitdir(), git(service.gitdir(), 'rev-parse', `main:${path.slice(1)}.html`))
  }
  const site = () => `/sites/${service.site.id}`
  const isFixed = async (path: string) => assert.equal((await service.visit(path).expect(200)).text, page('New'))
  const html = page('New')

  for (const [what, write] of [
    ['by its path', (path: string) => service.api().put(`/pages?path=${path}`).send({ html })],
    ['by its id', () => service.api().put(`/pages/${id}/content`).send({ html })],
    [
      'in a batch',
      () =>
        service
          .api()
          .post('/batch')
          .send({ operations: [{ op: 'replacePage', id, html }] }),
    ],
  ] as const) {
    it(`is replaced ${what}, with its dry run before and its warnings after`, async () => {
      const path = `/old-${what.replaceAll(' ', '-')}`
      await damage(path)
      const dry = await write(path).query({ dryRun: true })
      assert.equal(dry.status, 200, dry.text)
      const done = await write(path)
      assert.equal(done.status, 200, done.text)
      await isFixed(path)
      const head = git(service.gitdir(), 'rev-parse', 'main')
      const commit = await service.api().get(`${site()}/commits/${head}?warnings=true`)
      assert.equal(commit.status, 200, commit.text)
      const told = (commit.body.data.warnings as { code: string }[]).map(({ code }) => code)
      assert.ok(told.includes('broken_link'), JSON.stringify(told))
    })
  }

  it('is unpublished, with its dry run, and published again', async () => {
    await damage('/gone')
    const remove = () => service.api().delete(`/pages/${id}`)
    const dry = await remove().query({ dryRun: true })
    assert.equal(dry.status, 200, dry.text)
    await remove().expect(200)
    await put(service.api(), '/gone', html)
    await isFixed('/gone')
  })

  it('is replaced by a deploy, also after its dry run', async () => {
    await damage('/deployed')
    const bytes = Buffer.from(html)
    const oid = await oidOf(new Blob([bytes]))
    const files = { 'deployed.html': { oid, size: bytes.length } }
    const { body } = await service.api().post('/deploys').send({ files }).expect(201)
    const blob = service.api().put(`/deploys/${body.data.id}/blobs/${oid}`)
    await blob.set('Content-Type', 'application/octet-stream').send(bytes).expect(200)
    const dry = await service.api().post(`/deploys/${body.data.id}/publish`).query({ dryRun: true })
    assert.equal(dry.status, 200, dry.text)
    const done = await service.api().post(`/deploys/${body.data.id}/publish`)
    assert.ok(done.status < 300, done.text)
    await isFixed('/deployed')
  })

  it('is kept from stale writes, which are refused as such', async () => {
    await damage('/stale')
    const { version } = (await service.api().get('/pages?path=/stale').expect(200)).body.data[0]
    const etag = `"${version.id}"`
    await service.api().patch(`/pages/${id}`).send({ title: 'Mine' }).expect(200)
    await service
      .api()
      .put(`/pages/${id}/content`)
      .send({ html: page('Between') })
      .expect(200)
    for (const write of [
      service.api().put(`/pages/${id}/content`).send({ html }),
      service.api().patch(`/pages/${id}`).send({ title: 'Yours' }),
      service.api().patch(`/pages/${id}`).send({ path: '/elsewhere' }),
      service.api().delete(`/pages/${id}`),
    ]) {
      const stale = await write.set('If-Match', etag)
      assert.deepEqual([stale.status, stale.body.error?.details?.diff], [412, null], stale.text)
    }
  })

  for (const change of ['put', 'delete'] as const) {
    it(`may be a file: its ${change} is done, and shown in a dry run`, async () => {
      const write = (query: object = {}) => {
        const request = service.api()[change](`/files?path=/${change}.css`).query(query)
        return change === 'put' ? request.type('text/css').send('a { background: url(/none.png) }') : request
      }
      await service.api().put(`/files?path=/${change}.css`).type('text/css').send('x{}'.repeat(300)).expect(201)
      repair = flipByteOf(service.gitdir(), git(service.gitdir(), 'rev-parse', `main:${change}.css`))
      const dry = await write({ dryRun: true })
      assert.equal(dry.status, 200, dry.text)
      const done = await write()
      assert.equal(done.status, 200, done.text)
      await service.visit(`/${change}.css`).expect(change === 'put' ? 200 : 404)
    })
  }

  it('gets a title of its own, with its dry run before', async () => {
    await damage('/titled')
    const retitle = () => service.api().patch(`/pages/${id}`).send({ title: 'Mine' })
    const dry = await retitle().query({ dryRun: true })
    assert.equal(dry.status, 200, dry.text)
    const retitled = await retitle()
    assert.equal(retitled.status, 200, retitled.text)
  })
})
