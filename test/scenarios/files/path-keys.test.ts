import assert from 'node:assert/strict'
import type supertest from 'supertest'
import { codeOf, dataOf, publish, useService } from '../../spec/use-service.js'
import { git } from '../../support/git.js'
import { manifestOf, tarOf } from './folder.js'

describe('a key that is limited to paths', () => {
  const service = useService()
  let api: ReturnType<ReturnType<typeof service>['api']>
  let outside: { id: string; version: { id: string } }
  let inside: { id: string; version: { id: string } }

  before(async () => {
    const { key } = await service().mint({ scopes: ['admin'], paths: ['/blog/*'] })
    api = service().api(key)
    outside = await publish(service(), { path: '/outside' })
    inside = await publish(service(), { path: '/blog/inside' })
    await service().api().put('/files?path=/outside.css').send('a').expect(201)
    await service().api().put('/files?path=/blog/inside.css').send('a').expect(201)
  })

  const head = () => git(service().gitdir(), 'rev-parse', 'main')

  async function assertRefused(...requests: supertest.Test[]): Promise<void> {
    for (const request of requests) {
      const before = head()
      const answer = await request
      const what = `${answer.request.method} ${answer.request.url}`
      assert.deepEqual([answer.status, codeOf(answer)], [403, 'path_not_allowed'], what)
      assert.equal(head(), before, what)
    }
  }

  it('writes and reads inside of the paths, and reads everything else', async () => {
    await api.post('/pages').send({ path: '/blog/new', html: '<p>new' }).expect(201)
    await api.put('/pages?path=/blog').type('text/html').send('<p>blog').expect(201)
    await api.put(`/pages/${inside.id}/content`).type('text/html').send('<p>two').expect(200)
    await api.post(`/pages/${inside.id}/rollback`).send({ version: 1 }).expect(200)
    await api.put('/files?path=/blog/a.png').send('png').expect(201)
    await api.post('/files/move').send({ from: '/blog/a.png', to: '/blog/b.png' }).expect(201)
    await api.get(`/pages/${outside.id}`).expect(200)
    await api.get('/files/content?path=/outside.css').expect(200)
  })

  it('writes to no page and no file outside of the paths, by any route, and not in a dry run', async () => {
    const { id } = outside
    const html = '<p>x'
    await assertRefused(
      api.post('/pages').send({ path: '/other', html }),
      api.post('/pages?dryRun=true').send({ path: '/other', html }),
      api.put('/pages?path=/outside').type('text/html').send(html),
      api.put('/pages?path=/OUTSIDE').type('text/html').send(html),
      api.put('/pages?path=/blogs').type('text/html').send(html),
      api.put(`/pages/${id}/content?dryRun=true`).type('text/html').send(html),
      api.put(`/pages/${id}/content`).type('text/html').send(html),
      api.patch(`/pages/${id}`).send({ title: 'Mine' }),
      api.delete(`/pages/${id}`),
      api.post(`/pages/${id}/rollback`).send({ version: 1 }),
      api.put('/files?path=/outside.css').send('b'),
      api.put('/files?path=/outside.css&dryRun=true').send('b'),
      api.delete('/files?path=/outside.css'),
      api.post('/files/move').send({ from: '/blog/inside.css', to: '/moved.css' }),
      api.post('/files/move').send({ from: '/outside.css', to: '/blog/moved.css' }),
      api.post('/files/rollback').send({ path: '/outside.css', version: 1 }),
      api.put('/files?path=/_redirects').send('/a /b'),
    )
  })

  it('does all of a batch, a revert or an undo, or nothing of it', async () => {
    const operations = [
      { op: 'putPage', path: '/blog/batch', html: 'x' },
      { op: 'putPage', path: '/outside', html: 'x' },
      { op: 'putPage', path: '/more', html: 'x' },
    ]
    const refusal = await api.post('/batch').send({ operations }).expect(403)
    const { paths } = (refusal.body as { error: { details: { paths: string[] } } }).error.details
    assert.deepEqual(paths, ['/outside', '/more'])
    const { id: site } = service().site
    const both = await service().api().post('/batch').send({ operations }).expect(200)
    const { commit } = dataOf<{ commit: string }>(both)
    await assertRefused(
      api.post(`/sites/${site}/revert`).send({ commit }),
      api.post(`/sites/${site}/undo`).send({ commits: [commit] }),
    )
    await api
      .post('/batch')
      .send({ operations: operations.slice(0, 1) })
      .expect(200)
  })

  it('deploys only inside of the paths, and replaces only there', async () => {
    await assertRefused(api.post('/deploys').send({ files: manifestOf({ 'blog/x.txt': 'x', 'y.txt': 'y' }) }))
    const files = { 'blog/only.html': '<p>only' }
    const made = dataOf<{ id: string; missing: string[] }>(
      await api
        .post('/deploys')
        .send({ files: manifestOf(files), mode: 'replace' })
        .expect(201),
    )
    await api.post(`/deploys/${made.id}/blobs`).send(tarOf(files, made.missing)).expect(200)
    await api.post(`/deploys/${made.id}/publish`).expect(200)
    const names = git(service().gitdir(), 'ls-tree', '-r', '--name-only', 'main').split('\n')
    assert.deepEqual(
      names.filter((name) => name.startsWith('blog')),
      ['blog/only.html'],
    )
    assert.ok(names.includes('outside.html') && names.includes('outside.css'))
  })

  it('publishes no deploy of another key with wider paths', async () => {
    const files = { 'further.txt': 'further' }
    const all = service().api()
    const made = dataOf<{ id: string; missing: string[] }>(
      await all
        .post('/deploys')
        .send({ files: manifestOf(files) })
        .expect(201),
    )
    await all.post(`/deploys/${made.id}/blobs`).send(tarOf(files, made.missing)).expect(200)
    await assertRefused(api.post(`/deploys/${made.id}/publish`), api.post(`/deploys/${made.id}/publish?dryRun=true`))
    await all.post(`/deploys/${made.id}/publish`).expect(200)
    await assertRefused(api.post(`/deploys/${made.id}/publish`))
  })

  it('changes no records, settings, links or sites', async () => {
    const { id: site } = service().site
    await assertRefused(
      api.post('/collections').send({ name: 'things' }),
      api.patch(`/sites/${site}`).send({ publicHistory: true }),
      api.post('/sites').send({ slug: 'another' }),
      api.post(`/sites/${site}/links`).send({ commit: head() }),
      api.post(`/pages/${outside.id}/versions/1/withdraw`),
      api.delete(`/sites/${site}`),
    )
  })

  it('creates only keys whose paths lie within its own', async () => {
    const made = dataOf<{ paths: string[] }>(await api.post('/keys').send({ label: 'same' }).expect(201))
    assert.deepEqual(made.paths, ['/blog/*'])
    await api
      .post('/keys')
      .send({ label: 'less', paths: ['/blog/news/*'] })
      .expect(201)
    await assertRefused(
      api.post('/keys').send({ label: 'more', paths: ['/blog/*', '/docs/*'] }),
      api.post('/keys').send({ label: 'rules', paths: ['/_headers'] }),
    )
    const admin = service().api((await service().mint({ scopes: ['admin'] })).key)
    const wrong = await admin.post('/keys').send({ label: 'no path', paths: ['x/x'] })
    assert.deepEqual([wrong.status, wrong.body.error.code], [400, 'invalid_path'])
    const { id } = await service().mint({ scopes: ['read'] })
    await api.post(`/keys/${id}/rotate`).send({}).expect(404)
    await api.delete(`/keys/${id}`).expect(404)
  })
})
