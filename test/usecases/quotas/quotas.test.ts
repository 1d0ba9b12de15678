// The quotas of a workspace in every protocol: what would pass one is refused with the figures and changes nothing; the rest goes on.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { OwnQuotas } from '../../../src/admission/quotas.js'
import type { UsageData } from '../../../schemas/usage.js'
import { manifestOf, oidOf, tarOf } from '../../scenarios/files/folder.js'
import { commitFiles, runGit } from '../../scenarios/operators/operator.js'
import { git, withClone } from '../../support/git.js'
import { RemoteGit } from '../../support/remote-git.js'
import { type ApiClient, startTestService, type TestService } from '../../support/service.js'
import { until } from '../../support/within.js'

interface Refusal {
  code: string
  message: string
  details: { used: number; adds: number; quota: number }
}

describe('a quota of a workspace', () => {
  let running: TestService
  let service: TestService
  let api: ApiClient
  let admin: string

  before(async () => {
    running = await startTestService()
  })
  beforeEach(async () => {
    service = await running.inNewWorkspace()
    admin = (await service.mint({ scopes: ['admin'] })).key
    api = service.api(admin)
  })
  afterEach(() => service.stop())

  const set = (quotas: Partial<OwnQuotas>) =>
    service.server.service.services.catalog.workspaces.setQuotas(service.workspaceId, quotas)
  const usage = async () => (await api.get('/usage').expect(200)).body.data as UsageData
  const head = () => git(service.gitdir(), 'rev-parse', 'main')
  const publish = (path: string, html = 'words', status = 201) => api.post('/pages').send({ path, html }).expect(status)
  const idOf = async (path: string) => ((await publish(path)).body.data as { id: string }).id
  const refusal = ({ body }: { body: unknown }) => (body as { error: Refusal }).error
  /** Sets the quota of pages to what is there now. */
  const fillPages = async () => {
    const { pages } = await usage()
    await set({ pages: pages.used })
    return pages.used
  }

  describe('of pages', () => {
    it('refuses one more with the figures, and takes it after one was unpublished', async () => {
      const first = await idOf('/one')
      await publish('/two')
      const used = await fillPages()
      const before = head()
      const refused = refusal(await publish('/three', 'words', 403))
      assert.equal(refused.code, 'page_quota_exceeded')
      assert.deepEqual(refused.details, { used, adds: 1, quota: used })
      assert.match(refused.message, /Nothing was changed: the workspace has 2 of 2 pages, and this would add 1/)
      assert.equal(head(), before)
      await api.delete(`/pages/${first}`).expect(200)
      await publish('/three')
      await publish('/four', 'words', 403)
    })

    it('lets pages be replaced, retitled and unpublished', async () => {
      const id = await idOf('/one')
      await fillPages()
      await api.put(`/pages/${id}/content`).send({ html: 'longer words than before' }).expect(200)
      await api.patch(`/pages/${id}`).send({ title: 'Words' }).expect(200)
      await api.delete(`/pages/${id}`).expect(200)
      assert.equal((await usage()).pages.used, 0)
    })

    it('refuses a batch whole, and takes one that removes as many as it adds', async () => {
      const id = await idOf('/one')
      await fillPages()
      const add = { op: 'putPage', path: '/two', html: 'two' }
      const both = [add, { op: 'unpublishPage', id }]
      assert.equal(
        refusal(
          await api
            .post('/batch')
            .send({ operations: [add] })
            .expect(403),
        ).code,
        'page_quota_exceeded',
      )
      await service.visit('/one').expect(200)
      await api.post('/batch').send({ operations: both }).expect(200)
      await service.visit('/two').expect(200)
    })

    it('refuses a deploy as it is published; the uploads stay, and a larger quota lets it through', async () => {
      await idOf('/one')
      const used = await fillPages()
      const folder = { 'two.html': 'two', 'three.html': 'three', 'style.css': 'a {}' }
      const made = await api
        .post('/deploys')
        .send({ files: manifestOf(folder) })
        .expect(201)
      const { id, missing } = (made.body as { data: { id: string; missing: string[] } }).data
      await api.post(`/deploys/${id}/blobs`).type('application/x-tar').send(tarOf(folder, missing)).expect(200)
      for (const dry of ['?dryRun=true', '']) {
        const refused = refusal(await api.post(`/deploys/${id}/publish${dry}`).expect(403))
        assert.deepEqual(refused.details, { used, adds: 2, quota: used })
      }
      await service.visit('/two').expect(404)
      await set({ pages: used + 2 })
      await api.post(`/deploys/${id}/publish`).expect(200)
      await service.visit('/three').expect(200)
      assert.equal((await usage()).pages.used, used + 2)
    })

    it('refuses a rollback and a revert that bring a page back', async () => {
      const id = await idOf('/one')
      await api.delete(`/pages/${id}`).expect(200)
      const commit = head()
      await publish('/two')
      await fillPages()
      const rolledBack = await api.post(`/pages/${id}/rollback`).send({ version: 1 }).expect(403)
      assert.equal(refusal(rolledBack).code, 'page_quota_exceeded')
      const reverted = await api.post(`/sites/${service.site.id}/revert`).send({ commit }).expect(403)
      assert.equal(refusal(reverted).code, 'page_quota_exceeded')
      for (const dryRun of [true, false]) {
        const path = `/sites/${service.site.id}/undo?dryRun=${dryRun}`
        const undone = await api
          .post(path)
          .send({ commits: [commit] })
          .expect(403)
        assert.equal(refusal(undone).code, 'page_quota_exceeded')
      }
      assert.equal((await usage()).pages.used, 1)
    })

    it('tells a dry run what the write would hear', async () => {
      await idOf('/one')
      await fillPages()
      const refused = await api.post('/pages?dryRun=true').send({ path: '/two', html: 'two' }).expect(403)
      assert.equal(refusal(refused).code, 'page_quota_exceeded')
    })

    it('refuses a push over HTTP before main moves, and takes one that adds none', async () => {
      await idOf('/one')
      await fillPages()
      const remote = new RemoteGit()
      try {
        const url = `http://x:${admin}@127.0.0.1:${service.server.port}/git/${service.site.slug}.git`
        await remote.run('clone', '--quiet', url, 'site')
        const before = head()
        commitFiles(remote.path('site'), 'Add', { 'two.html': 'two' })
        const refused = await remote.failure('-C', remote.path('site'), 'push', '--quiet')
        assert.match(refused, /palimpsest: refused: Nothing was changed: the workspace has 1 of 1 pages/)
        assert.match(await remote.failure('-C', remote.path('site'), 'push', '-o', 'dry-run'), /1 of 1 pages/)
        assert.equal(head(), before)
        commitFiles(remote.path('site'), 'Instead', { 'one.html': null })
        await remote.in('site', 'push', '--quiet')
        await service.visit('/two').expect(200)
        await publish('/three', 'words', 403)
      } finally {
        remote.remove()
      }
    })

    it('counts a push by path without refusing it', async () => {
      await idOf('/one')
      await fillPages()
      await withClone(service.gitdir(), async (clone) => {
        commitFiles(clone, 'Add', { 'two.html': 'two', 'three.html': 'three' })
        assert.equal((await runGit(clone, 'push', '--quiet')).code, 0)
      })
      await until(usage, ({ pages }) => pages.used === 3)
      assert.equal((await usage()).pages.quota, 1)
      assert.deepEqual(refusal(await publish('/four', 'words', 403)).details, { used: 3, adds: 1, quota: 1 })
    })

    it('counts the pages of all sites of the workspace, and none of another one', async () => {
      const { body } = await api
        .post('/sites')
        .send({ slug: `${service.site.slug}-two` })
        .expect(201)
      const second = (body as { data: { id: string } }).data.id
      await publish('/one')
      await set({ pages: 1 })
      await api.post('/pages').set('x-service-site-id', second).send({ path: '/', html: 'x' }).expect(403)
      const other = await running.inNewWorkspace()
      await other.api().post('/pages').send({ path: '/one', html: 'x' }).expect(201)
      await other.stop()
    })

    it('takes as many as are in flight together, and loses none of them', async () => {
      await publish('/one')
      await set({ pages: 2 })
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((path) => api.post('/pages').send({ path: `/${path}`, html: path })),
      )
      const taken = answers.filter(({ status }) => status === 201).length
      assert.ok(taken >= 1)
      assert.deepEqual(
        answers.filter(({ status }) => status !== 201).map(({ status }) => status),
        Array.from({ length: 3 - taken }, () => 403),
      )
      assert.equal((await usage()).pages.used, 1 + taken)
      await publish('/d', 'words', 403)
    })
  })

  describe('of bytes', () => {
    const file = (path: string, bytes: Buffer) =>
      api.put(`/files?path=${path}`).type('application/octet-stream').send(bytes)
    const LARGE = 3 * 1024 * 1024

    it('refuses a file that passes it, and takes smaller files, deletions, moves and rollbacks', async () => {
      await file('/a.bin', randomBytes(1000)).expect(201)
      await set({ bytes: (await usage()).bytes.used + 2 * 1024 * 1024 })
      const before = head()
      for (const dry of ['&dryRun=true', '']) {
        const refused = await file(`/b.bin${dry}`, randomBytes(LARGE)).expect(507)
        assert.equal(refusal(refused).code, 'byte_quota_exceeded')
        assert.ok(refusal(refused).details.adds >= LARGE)
      }
      assert.equal(head(), before)
      await file('/b.bin', randomBytes(1024 * 1024)).expect(201)
      const { used } = (await usage()).bytes
      await set({ bytes: used })
      await file('/c.bin', randomBytes(500)).expect(507)
      await file('/a.bin', randomBytes(1000)).expect(507)
      await file('/a.bin', randomBytes(999)).expect(200)
      await api.post('/files/move').send({ from: '/b.bin', to: '/moved.bin' }).expect(201)
      await api.delete('/files?path=/moved.bin').expect(200)
      await api.post('/files/rollback').send({ path: '/moved.bin', version: 1 }).expect(200)
      await publish('/page', 'words', 507)
    })

    it('lets a page be unpublished and replaced by a shorter one', async () => {
      const id = await idOf('/one')
      await set({ bytes: 1 })
      await api.put(`/pages/${id}/content`).send({ html: 'word' }).expect(200)
      await api.put(`/pages/${id}/content`).send({ html: 'words and words' }).expect(507)
      await api.delete(`/pages/${id}`).expect(200)
    })

    it('refuses records', async () => {
      const made = await api.post('/collections').send({ name: 'Notes' }).expect(201)
      const { id } = (made.body as { data: { id: string } }).data
      await set({ bytes: 1 })
      const refused = await api
        .post(`/collections/${id}/records`)
        .send({ data: { text: 'x' } })
        .expect(507)
      assert.equal(refusal(refused).code, 'byte_quota_exceeded')
    })

    it('refuses a deploy and a push over HTTP that bring too much, and takes those that remove', async () => {
      const folder = { 'large.bin': randomBytes(200_000), 'index.html': 'index' }
      await set({ bytes: (await usage()).bytes.used + 100_000 })
      const made = await api
        .post('/deploys')
        .send({ files: manifestOf(folder) })
        .expect(201)
      const { id } = (made.body as { data: { id: string } }).data
      await api
        .put(`/deploys/${id}/blobs/${oidOf(folder['large.bin'])}`)
        .send(folder['large.bin'])
        .expect(200)
      await api
        .put(`/deploys/${id}/blobs/${oidOf('index')}`)
        .send(Buffer.from('index'))
        .expect(200)
      assert.equal(refusal(await api.post(`/deploys/${id}/publish`).expect(507)).code, 'byte_quota_exceeded')
      await file('/small.bin', randomBytes(10_000)).expect(201)
      const remote = new RemoteGit()
      try {
        const url = `http://x:${admin}@127.0.0.1:${service.server.port}/git/${service.site.slug}.git`
        await remote.run('clone', '--quiet', url, 'site')
        commitFiles(remote.path('site'), 'Large', { 'large.txt': randomBytes(200_000).toString('base64') })
        assert.match(await remote.failure('-C', remote.path('site'), 'push', '--quiet'), /refused: .* bytes, and this/)
        await remote.in('site', 'reset', '--quiet', '--hard', 'origin/main')
        await set({ bytes: 1 })
        commitFiles(remote.path('site'), 'Remove', { 'small.bin': null })
        await remote.in('site', 'push', '--quiet')
      } finally {
        remote.remove()
      }
      await service.visit('/small.bin').expect(404)
    })
  })

  describe('of sites', () => {
    it('refuses another site, and takes it once one is deleted', async () => {
      const slug = (name: string) => `${service.site.slug}-${name}`
      const make = (name: string, more = {}) => api.post('/sites').send({ slug: slug(name), ...more })
      const { body } = await make('b').expect(201)
      await set({ sites: 2 })
      assert.deepEqual(refusal(await make('c').expect(403)).details, { used: 2, adds: 1, quota: 2 })
      const imported = await make('c', { importUrl: 'https://git.example/site.git' }).expect(403)
      assert.equal(refusal(imported).code, 'site_quota_exceeded')
      await api.delete(`/sites/${(body as { data: { id: string } }).data.id}`).expect(200)
      await make('c').expect(201)
    })

    it('counts sites that are made at the same time', async () => {
      await set({ sites: 3 })
      const answers = await Promise.all(
        ['b', 'c', 'd', 'e'].map((name) => api.post('/sites').send({ slug: `${service.site.slug}-${name}` })),
      )
      assert.equal(answers.filter(({ status }) => status === 201).length, 2)
      assert.equal(answers.filter(({ status }) => status === 403).length, 2)
    })
  })
})
