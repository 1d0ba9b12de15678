import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import supertest from 'supertest'
import { git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { type Page, put } from '../client.js'

interface DryRun {
  created: boolean
  files: { path: string; change: string }[]
  diff: string
  warnings: { code: string; path: string; message: string }[]
  previewUrl: string
  expiresAt: string
}

describe('a dry run', () => {
  let service: TestService
  let page: Page
  let ahead = 0

  before(async () => {
    const clock = () => new Date(Date.now() + ahead)
    service = await startOwnService({
      clock,
      // 100,000 bytes for previews.
      change: (config) => ({ ...config, sizes: { ...config.sizes, memoryBytes: 800_000 } }),
    })
    page = await put(service.api(), '/about', 'one\ntwo\n')
    await put(service.api(), '/links', '<a href="/about">about</a> <a href="about#x">again</a> <img src="/none.png">')
  })
  after(() => service.stop())

  const head = () => git(service.gitdir(), 'rev-parse', 'main')
  const files = () => readdirSync(join(service.gitdir(), 'objects'), { recursive: true }).length
  const look = (url: string) => {
    const { host, pathname } = new URL(url)
    return supertest(service.origin).get(pathname).set('Host', host)
  }
  const dryRunOf = ({ body }: { body: { data: { dryRun: DryRun } } }) => body.data.dryRun

  it('shows what each write of a page would do, and leaves the repository unchanged', async () => {
    const before = [head(), files()]
    const api = service.api()
    const answers = [
      await api.put(`/pages/${page.id}/content?dryRun=true`).send({ html: 'one\n2\n' }),
      await api
        .patch(`/pages/${page.id}/content?dryRun=true`)
        .set('If-Match', page.etag)
        .send({ edits: [{ find: 'two', replace: '2' }] }),
      await api.put('/pages?path=/about&dryRun=true').send({ html: 'one\n2\n' }),
    ]
    for (const answer of answers) {
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      const { created, files: changes, diff, previewUrl } = dryRunOf(answer)
      assert.deepEqual([answer.body.data.changed, created], [undefined, false])
      assert.deepEqual(changes, [{ path: 'about.html', change: 'modified' }])
      assert.match(diff, /^-two\n\+2$/m)
      assert.deepEqual([answer.body.data.id, answer.body.data.version.number], [page.id, page.version.number + 1])
      const shown = await look(previewUrl)
      assert.deepEqual([shown.status, shown.text], [200, 'one\n2\n'])
    }
    const made = await api.post('/pages?dryRun=true').send({ path: '/new', html: '<title>New</title>' })
    assert.deepEqual([made.status, made.body.data.title, dryRunOf(made).created], [200, 'New', true])
    const retitled = await api.patch(`/pages/${page.id}?dryRun=true`).send({ title: 'T' })
    assert.deepEqual([retitled.body.data.title, retitled.body.data.version.number], ['T', page.version.number])
    const rolled = await api.post(`/pages/${page.id}/rollback?dryRun=true`).send({ version: 1 })
    assert.deepEqual([rolled.body.data.changed, dryRunOf(rolled).files], [false, []])
    assert.equal((await look(dryRunOf(rolled).previewUrl)).text, 'one\ntwo\n')
    const operations = [
      { op: 'putPage', path: '/a', html: '<title>A</title><a href="/b">b</a>' },
      { op: 'putPage', path: '/b', html: '<title>B</title>' },
    ]
    const batch = await api.post('/batch?dryRun=true').send({ operations })
    assert.deepEqual([batch.body.data.commit, batch.body.data.items.length], [null, 2])
    assert.deepEqual(dryRunOf(batch).warnings, [])
    assert.deepEqual([head(), files()], before)
    assert.equal((await service.visit('/about')).text, 'one\ntwo\n')
    assert.equal((await service.visit('/new')).status, 404)
  })

  it('refuses what the write would refuse', async () => {
    const api = service.api()
    const stale = await api
      .put(`/pages/${page.id}/content?dryRun=true`)
      .set('If-Match', `"${'0'.repeat(40)}"`)
      .send({ html: 'x' })
    assert.equal(stale.status, 412)
    const taken = await api.post('/pages?dryRun=true').send({ path: '/about', html: 'x' })
    assert.deepEqual([taken.status, taken.body.error.code], [409, 'page_exists'])
    const { key } = await service.mint({ scopes: ['read'] })
    assert.equal((await service.api(key).delete(`/pages/${page.id}?dryRun=true`)).status, 403)
    assert.equal((await api.delete(`/pages/${page.id}?dryRun=maybe`)).status, 400)
  })

  it('warns of links that would be broken', async () => {
    const gone = await service.api().delete(`/pages/${page.id}?dryRun=true`)
    assert.equal(gone.body.data.status, 'unpublished')
    assert.deepEqual(
      dryRunOf(gone).warnings.map(({ path, message }) => [path, message]),
      [['/links', 'The link to /about would lead nowhere.']],
    )
    const html =
      '<title>A</title><a href="/about/">fine</a> <a href="missing">not</a> <a href="https://elsewhere.example/x">fine</a>'
    const linking = await service.api().post('/pages?dryRun=true').send({ path: '/docs/a', html })
    assert.deepEqual(
      dryRunOf(linking).warnings.map(({ message }) => message),
      ['The link to /docs/missing would lead nowhere.'],
    )
  })

  it('does not show a page in its preview that was unpublished later, also once its path is published again', async () => {
    const secret = await put(service.api(), '/leak', 'secret')
    const { previewUrl } = dryRunOf(await service.api().put('/pages?path=/draft&dryRun=true').send({ html: 'draft' }))
    const leak = new URL('/leak', previewUrl).href
    assert.equal((await look(leak)).text, 'secret')
    await service.api().delete(`/pages/${secret.id}`).expect(200)
    await put(service.api(), '/leak', 'harmless')
    assert.equal((await look(leak)).status, 410)
  })

  it('has a preview in every process, which no cache may store and which expires', async () => {
    const { previewUrl } = dryRunOf(await service.api().put('/pages?path=/seen&dryRun=true').send({ html: 'seen' }))
    for (let visit = 0; visit < 8; visit++) assert.equal((await look(previewUrl)).text, 'seen')
    const { headers } = await look(previewUrl)
    assert.deepEqual([headers['x-robots-tag'], headers['cache-control']], ['noindex', 'private, no-store'])
    assert.equal((await look(new URL('/about', previewUrl).href)).text, 'one\ntwo\n')
    await put(service.api(), '/fleeting', 'x')
    const later = dryRunOf(await service.api().put('/pages?path=/seen&dryRun=true').send({ html: 'seen' }))
    const { body } = await service.api().get('/pages?path=/fleeting')
    await service.api().delete(`/pages/${body.data[0].id}`)
    const fleeting = await look(new URL('/fleeting', later.previewUrl).href)
    assert.deepEqual([fleeting.status, fleeting.headers['cache-control']], [410, 'private, no-store'])

    ahead = 601_000
    assert.equal((await look(previewUrl)).status, 410)
    ahead = 0
    assert.equal((await look(previewUrl)).text, 'seen')
    for (let n = 0; n < 4; n++) {
      await service
        .api()
        .put('/pages?path=/large&dryRun=true')
        .send({ html: `${n}`.repeat(40_000) })
    }
    assert.equal((await look(previewUrl)).status, 410)
  })
})
