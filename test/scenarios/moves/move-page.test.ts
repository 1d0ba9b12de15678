import assert from 'node:assert/strict'
import supertest from 'supertest'
import { codeOf, dataOf, type Page, publish, useService } from '../../spec/use-service.js'
import { assertSound, git } from '../../support/git.js'

describe('moving a page', () => {
  const service = useService()
  const api = () => service().api()
  const move = (id: string, body: object, more = '') => api().patch(`/pages/${id}${more}`).send(body)
  const head = () => git(service().gitdir(), 'rev-parse', 'main')
  const visit = (path: string) => service().visit(path).redirects(0)
  const headOf = (path: string) =>
    supertest(service().origin)
      .head(path)
      .set('Host', `${service().site.slug}.localhost:${service().server.port}`)
      .redirects(0)
  const assertLeads = async (from: string, to: string) => {
    for (const method of ['get', 'head'] as const) {
      const answer = await (method === 'get' ? visit(from) : headOf(from))
      assert.deepEqual(
        [answer.status, answer.get('Location'), answer.get('Cache-Control')],
        [308, to, 'no-cache'],
        from,
      )
    }
  }

  it('keeps id, versions, title and template, in one commit, and is a version of its own', async () => {
    const page = await publish(service(), { path: '/first', title: 'Mine', html: '<h1>One</h1>' })
    const before = head()
    const answer = await move(page.id, { path: '/second/', reason: 'Better name' }).expect(200)
    const after = dataOf<Page>(answer)
    assert.deepEqual(
      [after.id, after.path, after['title'], after['titleIsSet'], after['status'], after.version.number],
      [page.id, '/second/', 'Mine', true, 'published', 2],
    )
    assert.equal(answer.get('ETag'), `"${head()}"`)
    assert.equal(git(service().gitdir(), 'rev-list', '--count', `${before}..main`), '1')
    assert.match(
      git(service().gitdir(), 'log', '-1', '--format=%B'),
      /^Better name\n[\s\S]*^Operation: Move \/first to \/second\/$/m,
    )
    const versions = dataOf<{ action: string; path: string }[]>(
      await api().get(`/pages/${page.id}/versions`).expect(200),
    )
    assert.deepEqual(
      versions.map(({ action }) => action),
      ['move', 'publish'],
    )
    await visit('/second/').expect(200, '<h1>One</h1>')
    await assertLeads('/first', '/second/')
    await assertLeads('/first.html', '/second/')
    await assertLeads('/first/', '/second/')
    assert.equal((await visit('/first?a=b')).get('Location'), '/second/?a=b')
    assertSound(service().gitdir())
  })

  it('leads from every former address in one step, and back again without a loop', async () => {
    const { id } = await publish(service(), { path: '/a' })
    await move(id, { path: '/b' }).expect(200)
    await move(id, { path: '/c' }).expect(200)
    await assertLeads('/a', '/c')
    await assertLeads('/b', '/c')
    await move(id, { path: '/a' }).expect(200)
    await visit('/a').expect(200)
    await assertLeads('/b', '/a')
    await assertLeads('/c', '/a')
    const former = git(service().gitdir(), 'ls-tree', '-r', '--name-only', 'main', '.former').split('\n')
    const texts = former.map((path) => git(service().gitdir(), 'show', `main:${path}`))
    assert.ok(!texts.some((text) => text.includes('"from":"/a"')))
    assert.ok(texts.includes(`{"from":"/b","page":"${id}"}`))
  })

  it('stops leading there for good once something is published at the old address', async () => {
    const { id } = await publish(service(), { path: '/left' })
    await move(id, { path: '/there' }).expect(200)
    const other = await publish(service(), { path: '/left', html: 'new' })
    assert.notEqual(other.id, id)
    await visit('/left').expect(200, 'new')
    await api().delete(`/pages/${other.id}`).expect(200)
    await visit('/left').expect(404)
    const file = await publish(service(), { path: '/left2' })
    await move(file.id, { path: '/there2' }).expect(200)
    await api().put('/files?path=/left2').send('bytes').expect(201)
    await visit('/left2').expect(200)
    await api().delete('/files?path=/left2').expect(200)
    await visit('/left2').expect(404)
  })

  it('lets the rules of the site win', async () => {
    const { id } = await publish(service(), { path: '/ruled' })
    await move(id, { path: '/unruled' }).expect(200)
    await api().put('/files?path=/_redirects').send('/ruled /elsewhere 302\n/via /elsewhere 302').expect(201)
    const answer = await visit('/ruled')
    assert.deepEqual([answer.status, answer.get('Location')], [302, '/elsewhere'])
    await api().delete('/files?path=/_redirects').expect(200)
    await assertLeads('/ruled', '/unruled')
  })

  it('leads nowhere while the page is unpublished, and leads there again when it is back', async () => {
    const { id } = await publish(service(), { path: '/w1' })
    await move(id, { path: '/w2' }).expect(200)
    await api().delete(`/pages/${id}`).expect(200)
    await visit('/w1').expect(404)
    await api().delete(`/pages/${id}?gone=true`).expect(200)
    await visit('/w2').expect(410)
    await visit('/w1').expect(410)
    await api().post(`/pages/${id}/rollback`).send({ version: 1 }).expect(200)
    await assertLeads('/w1', '/w2')
    await visit('/w2').expect(200)
  })

  it('is refused where another page, a file or a folder is, and says what to do', async () => {
    const { id } = await publish(service(), { path: '/mine' })
    const other = await publish(service(), { path: '/taken' })
    await api().put('/files?path=/asset.css').send('a').expect(201)
    const before = head()
    const taken = await move(id, { path: '/taken' }).expect(409)
    assert.deepEqual([codeOf(taken), taken.body.error.details], ['page_exists', { id: other.id, path: '/taken' }])
    assert.match(taken.body.error.message, /Unpublish or move it first, or choose another path\./)
    for (const path of ['/taken/', '/asset.css', '/TAKEN'])
      assert.equal(codeOf(await move(id, { path }).expect(409)), 'path_conflict', path)
    assert.equal(codeOf(await move(id, { path: '/../x' }).expect(400)), 'invalid_path')
    assert.equal(codeOf(await move(id, {}).expect(400)), 'invalid_body')
    assert.equal(codeOf(await move(id, { rewriteLinks: true }).expect(400)), 'invalid_body')
    assert.equal(head(), before)
  })

  it('honours If-Match, and changes nothing where the page is already', async () => {
    const page = await publish(service(), { path: '/tagged' })
    await api().put(`/pages/${page.id}/content`).send({ html: 'two' }).expect(200)
    assert.equal(
      codeOf(await move(page.id, { path: '/tagged2' }).set('If-Match', page.etag).expect(412)),
      'precondition_failed',
    )
    const before = head()
    assert.equal(dataOf<{ changed: boolean }>(await move(page.id, { path: '/tagged.html' }).expect(200)).changed, false)
    assert.equal(head(), before)
    const { etag } = dataOf<Page>(await api().get(`/pages/${page.id}`).expect(200))
    await move(page.id, { path: '/tagged2', title: 'Both' }).set('If-Match', etag).expect(200)
    assert.equal(dataOf<Page>(await api().get(`/pages/${page.id}`).expect(200))['title'], 'Both')
  })

  it('goes to another case or slash of its own path', async () => {
    const { id } = await publish(service(), { path: '/Case' })
    await move(id, { path: '/case' }).expect(200)
    await visit('/case').expect(200)
    await assertLeads('/Case', '/case')
    await move(id, { path: '/case/' }).expect(200)
    assert.equal((await visit('/case')).get('Location'), '/case/')
    await visit('/case/').expect(200)
  })

  it('takes the path of an unpublished page, whose id stays out of the way', async () => {
    const gone = await publish(service(), { path: '/claimed' })
    await api().delete(`/pages/${gone.id}`).expect(200)
    const pages = await Promise.all(Array.from({ length: 4 }, () => publish(service())))
    for (const [index, { id }] of pages.entries()) {
      await move(id, { path: '/claimed' }).expect(200)
      assert.equal(dataOf<Page[]>(await api().get('/pages?path=/claimed').expect(200))[0]?.id, id)
      await visit('/claimed').expect(200)
      await move(id, { path: `/claimed-${index}` }).expect(200)
    }
  })

  it('is put back by a revert, with its address', async () => {
    const { id } = await publish(service(), { path: '/undo' })
    const tree = git(service().gitdir(), 'rev-parse', 'main^{tree}')
    await move(id, { path: '/undone' }).expect(200)
    await api().post(`/sites/${service().site.id}/revert`).send({ commit: head() }).expect(201)
    assert.equal(git(service().gitdir(), 'rev-parse', 'main^{tree}'), tree)
    await visit('/undo').expect(200)
    await visit('/undone').expect(404)
    assert.equal(dataOf<Page>(await api().get(`/pages/${id}`).expect(200)).path, '/undo')
  })

  it('is put back with another page that took its old address, and has its id there', async () => {
    for (let round = 0; round < 4; round++) {
      const path = `/both-${round}`
      const { id } = await publish(service(), { path })
      await move(id, { path: `${path}-moved` }).expect(200)
      const moved = head()
      const other = await publish(service(), { path, html: 'other' })
      const published = head()
      if (round % 2 === 0)
        await api()
          .post(`/sites/${service().site.id}/undo`)
          .send({ commits: [moved, published] })
          .expect(200)
      else {
        await api().delete(`/pages/${other.id}`).expect(200)
        await api().post(`/sites/${service().site.id}/revert`).send({ commit: moved }).expect(201)
      }
      assert.equal(dataOf<Page[]>(await api().get(`/pages?path=${path}`).expect(200))[0]?.id, id)
      assert.equal(dataOf<Page>(await api().get(`/pages/${id}`).expect(200)).path, path)
    }
  })

  it('shows in a dry run which pages link to it, and its preview has the redirect', async () => {
    const page = await publish(service(), { path: '/linked', html: '<title>L</title>' })
    const linking = await publish(service(), { path: '/linking', html: '<p>\n<a href="linked#x">there</a>' })
    const before = head()
    const data = dataOf<Page & { dryRun: { linkedFrom: object[]; warnings: object[]; previewUrl: string } }>(
      await move(page.id, { path: '/relinked' }, '?dryRun=true').expect(200),
    )
    assert.deepEqual([data.path, data.version.number], ['/relinked', 2])
    assert.deepEqual(data.dryRun.linkedFrom, [{ id: linking.id, path: '/linking', line: 2 }])
    assert.deepEqual(data.dryRun.warnings, [])
    assert.equal(head(), before)
    const { host } = new URL(data.dryRun.previewUrl)
    const preview = await service().visit('/linked').set('Host', host).redirects(0)
    assert.deepEqual([preview.status, preview.get('Location')], [308, '/relinked'])
  })

  it('rewrites the links to it and its own in the same commit, if asked', async () => {
    const page = await publish(service(), { path: '/deep/target', html: '<a href="sibling"><a href="target#me">' })
    await publish(service(), { path: '/deep/sibling' })
    const one = await publish(service(), {
      path: '/deep/one',
      html: '<a href="target.html?q"><a href="sibling">\u00fc',
    })
    await publish(service(), { path: '/two', html: '<a href="/two">' })
    const before = head()
    const after = dataOf<Page>(await move(page.id, { path: '/top', rewriteLinks: true }).expect(200))
    assert.deepEqual([after.path, after.version.number], ['/top', 2])
    assert.equal(git(service().gitdir(), 'rev-list', '--count', `${before}..main`), '1')
    await visit('/top').expect(200, '<a href="deep/sibling"><a href="top#me">')
    await visit('/deep/one').expect(200, '<a href="../top.html?q"><a href="sibling">\u00fc')
    assert.equal(dataOf<Page>(await api().get(`/pages/${one.id}`).expect(200)).version.number, 2)
    const changed = git(service().gitdir(), 'diff', '--name-only', before, 'main').split('\n')
    assert.ok(!changed.includes('two.html'))
    await api().post(`/sites/${service().site.id}/revert`).send({ commit: head() }).expect(201)
    assert.equal(
      git(service().gitdir(), 'rev-parse', 'main^{tree}'),
      git(service().gitdir(), 'rev-parse', `${before}^{tree}`),
    )
  })

  it('is part of a batch', async () => {
    const { id } = await publish(service(), { path: '/batch-a' })
    const other = await publish(service(), { path: '/batch-b' })
    const operations = [
      { op: 'movePage', id: '/batch-a', path: '/batch-c' },
      { op: 'unpublishPage', id: other.id, redirectTo: '/batch-c' },
    ]
    const body = dataOf<{ items: { id: string; path: string }[] }>(
      await api().post('/batch').send({ operations }).expect(200),
    )
    assert.deepEqual(
      body.items.map((item) => [item.id, item.path]),
      [
        [id, '/batch-c'],
        [other.id, '/batch-b'],
      ],
    )
    await assertLeads('/batch-a', '/batch-c')
    await assertLeads('/batch-b', '/batch-c')
    for (const clash of [
      [
        { op: 'movePage', id, path: '/batch-d' },
        { op: 'putPage', path: '/batch-d', html: 'x' },
      ],
      [
        { op: 'movePage', id, path: '/batch-d' },
        { op: 'createPage', path: '/batch-c', html: 'x' },
      ],
      [
        { op: 'movePage', id, path: '/batch-d' },
        { op: 'retitlePage', id: '/batch-c', title: 'x' },
      ],
    ])
      assert.equal(codeOf(await api().post('/batch').send({ operations: clash }).expect(409)), 'batch_refused')
  })

  it('needs a key that may write at both paths', async () => {
    const { key } = await service().mint({ scopes: ['write'], paths: ['/mine/*'] })
    const inside = await publish(service(), { path: '/mine/in' })
    const outside = await publish(service(), { path: '/yours/out' })
    await publish(service(), { path: '/yours/links', html: '<a href="/mine/in2">' })
    const mine = service().api(key)
    const refused = async (id: string, body: object) =>
      assert.equal(codeOf(await mine.patch(`/pages/${id}`).send(body).expect(403)), 'path_not_allowed')
    await refused(inside.id, { path: '/yours/in' })
    await refused(outside.id, { path: '/mine/out' })
    await mine.patch(`/pages/${inside.id}`).send({ path: '/mine/in2' }).expect(200)
    await refused(inside.id, { path: '/mine/in3', rewriteLinks: true })
    await mine.delete(`/pages/${inside.id}?redirectTo=/yours/links`).expect(200)
    await assertLeads('/mine/in', '/yours/links')
  })
})
