import assert from 'node:assert/strict'
import { codeOf, dataOf, type Page, publish, useService } from '../../spec/use-service.js'
import { assertSound, git } from '../../support/git.js'

interface Conflict {
  path: string
  reason: string
}

describe('moving within a change request', () => {
  const service = useService()
  const api = () => service().api()
  const live = (path: string) => service().visit(path).redirects(0)
  const treeOf = (commit: string) => git(service().gitdir(), 'rev-parse', `${commit}^{tree}`)

  const begin = async (): Promise<string> =>
    dataOf<{ id: string }>(await api().post(`/sites/${service().site.id}/change-requests`).send({}).expect(201)).id
  const within = (request: string) => ({
    put: async (path: string, html: string) =>
      dataOf<Page>(await api().put(`/pages?path=${path}&changeRequest=${request}`).send({ html })),
    move: async (id: string, body: object, more = '') =>
      await api().patch(`/pages/${id}?changeRequest=${request}${more}`).send(body),
    find: async (path: string) =>
      dataOf<Page[]>(await api().get(`/pages?path=${path}&changeRequest=${request}`).expect(200)),
    html: async (id: string) =>
      dataOf<{ html: string }>(await api().get(`/pages/${id}?changeRequest=${request}`).expect(200)).html,
    publish: () => api().post(`/change-requests/${request}/publish`).send({}),
  })
  /** Opens the preview of the request. */
  const preview = async (request: string) => {
    const { url } = dataOf<{ url: string }>(await api().post(`/change-requests/${request}/links`).send({}).expect(201))
    const label = new URL(url).hostname.split('.', 1)[0] ?? ''
    const { headers } = await service().visit(new URL(url).pathname, label).redirects(0).expect(302)
    const cookie = (headers as { 'set-cookie'?: string[] })['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
    return (path: string) => service().visit(path, label).redirects(0).set('Cookie', cookie)
  }
  const leadsTo = ({ status, headers }: { status: number; headers: unknown }) => [
    status,
    (headers as Record<string, string | undefined>)['location'],
  ]

  it('leads from the old address to the new one in its preview, and on main once it is published', async () => {
    const { id } = await publish(service(), { path: '/old', html: 'moved' })
    const request = await begin()
    assert.equal((await within(request).move(id, { path: '/new' })).status, 200)
    const visit = await preview(request)
    await visit('/new').expect(200, 'moved')
    for (const path of ['/old', '/old.html']) assert.deepEqual(leadsTo(await visit(path)), [308, '/new'], path)
    assert.equal((await visit('/old')).get('Cache-Control'), 'private, no-store')
    await live('/old').expect(200, 'moved')
    await within(request).publish().expect(200)
    assert.deepEqual(leadsTo(await live('/old')), [308, '/new'])
    assert.deepEqual(leadsTo(await visit('/old.md')), leadsTo(await live('/old.md')))
    assert.equal(dataOf<Page>(await api().get(`/pages/${id}`).expect(200)).path, '/new')
  })

  it('names and rewrites the links of the pages of the request, not those that only main has', async () => {
    const target = await publish(service(), { path: '/target', html: 'target' })
    const kept = await publish(service(), { path: '/links/kept', html: '<a href="/target">kept</a>' })
    await publish(service(), { path: '/links/dropped', html: '<a href="/target">dropped</a>' })
    await publish(service(), { path: '/links/gone', html: '<a href="/target">gone</a>' }).then(async ({ id }) => {
      const request = await begin()
      const { put, move, html, publish: publishIt } = within(request)
      await put('/links/dropped', 'no link')
      const own = await put('/links/own', '\n<a href="/target">own</a>')
      await api().delete(`/pages/${id}?changeRequest=${request}`).expect(200)
      const tried = dataOf<Page & { dryRun: { linkedFrom: { path: string; line: number }[] } }>(
        await move(target.id, { path: '/aim' }, '&dryRun=true'),
      )
      assert.deepEqual(
        tried.dryRun.linkedFrom.map(({ path, line }) => [path, line]),
        [
          ['/links/kept', 1],
          ['/links/own', 2],
        ],
      )
      assert.equal((await move(target.id, { path: '/aim', rewriteLinks: true })).status, 200)
      assert.equal(await html(own.id), '\n<a href="/aim">own</a>')
      assert.equal(await html(kept.id), '<a href="/aim">kept</a>')
      await live('/links/kept').expect(200, '<a href="/target">kept</a>')
      await publishIt().expect(200)
      await live('/links/own').expect(200, '\n<a href="/aim">own</a>')
      await live('/links/dropped').expect(200, 'no link')
    })
  })

  it('is a conflict where main published another page at the new path since', async () => {
    const { id } = await publish(service(), { path: '/from', html: 'moved' })
    const request = await begin()
    assert.equal((await within(request).move(id, { path: '/taken' })).status, 200)
    const other = await publish(service(), { path: '/taken', html: 'of main' })
    const before = git(service().gitdir(), 'rev-parse', 'main')
    const refused = await within(request).publish()
    assert.deepEqual([refused.status, codeOf(refused)], [409, 'merge_conflict'])
    const { conflicts } = (refused.body as { error: { details: { conflicts: Conflict[] } } }).error.details
    assert.ok(
      conflicts.some(({ path }) => path === 'taken.html'),
      JSON.stringify(conflicts),
    )
    assert.equal(git(service().gitdir(), 'rev-parse', 'main'), before)
    assert.equal((await within(request).move(id, { path: '/free' })).status, 200)
    await within(request).publish().expect(200)
    await live('/free').expect(200, 'moved')
    await live('/taken').expect(200, 'of main')
    assert.deepEqual(leadsTo(await live('/from')), [308, '/free'])
    assert.equal(dataOf<Page[]>(await api().get('/pages?path=/taken').expect(200))[0]?.id, other.id)
    assertSound(service().gitdir())
  })

  it('takes along what main wrote to the page at its old path since', async () => {
    const { id } = await publish(service(), { path: '/edited', html: 'first' })
    const request = await begin()
    assert.equal((await within(request).move(id, { path: '/edited-moved' })).status, 200)
    await api().put(`/pages/${id}/content`).send({ html: 'of main' }).expect(200)
    await within(request).publish().expect(200)
    await live('/edited-moved').expect(200, 'of main')
    assert.deepEqual(leadsTo(await live('/edited')), [308, '/edited-moved'])
    assert.equal(dataOf<Page[]>(await api().get('/pages?path=/edited-moved').expect(200))[0]?.id, id)
    assertSound(service().gitdir())
  })

  it('may be one of a batch, which is published and undone as one, with the ids of the pages kept', async () => {
    const [one, two] = [
      await publish(service(), { path: '/batch/one', html: '1' }),
      await publish(service(), { path: '/batch/two', html: '2' }),
    ]
    const [before, folder] = [treeOf('main'), git(service().gitdir(), 'rev-parse', 'main:batch')]
    const operations = [
      { op: 'movePage', id: one.id, path: '/batch/first' },
      { op: 'replacePage', id: two.id, html: '2b' },
      { op: 'createPage', path: '/batch/third', html: '3' },
    ]
    const batch = await api().post('/batch?changeRequest=new').send({ operations })
    assert.equal(batch.status, 200, JSON.stringify(batch.body))
    const request = (batch.body as { changeRequest: string }).changeRequest
    const { find, move, publish: publishIt } = within(request)
    assert.equal((await find('/batch/first'))[0]?.id, one.id)
    assert.equal((await move(two.id, { path: '/batch/second' })).status, 200)
    assert.equal(treeOf('main'), before)
    const { commit } = dataOf<{ commit: string }>(await publishIt().expect(200))
    for (const [path, id] of [
      ['/batch/first', one.id],
      ['/batch/second', two.id],
    ] as const)
      assert.equal(dataOf<Page[]>(await api().get(`/pages?path=${path}`).expect(200))[0]?.id, id)
    assert.deepEqual(leadsTo(await live('/batch/one')), [308, '/batch/first'])
    await api()
      .post(`/sites/${service().site.id}/undo`)
      .send({ commits: [commit] })
      .expect(200)
    assert.equal(git(service().gitdir(), 'rev-parse', 'main:batch'), folder)
    for (const { id, path } of [one, two]) {
      assert.equal(dataOf<Page>(await api().get(`/pages/${id}`).expect(200)).path, path)
      await live(path).expect(200)
    }
    await live('/batch/first').expect(404)
    const versions = dataOf<object[]>(await api().get(`/pages/${one.id}/versions`).expect(200))
    assert.ok(versions.length >= 3)
    assertSound(service().gitdir())
  })

  it('moves a whole folder, and its addresses lead on in the preview and on main', async () => {
    const page = await publish(service(), { path: '/guide/a', html: 'a' })
    await api().put('/files?path=/guide/pic.svg').send(Buffer.from('<svg/>')).expect(201)
    const request = await begin()
    await api()
      .post(`/sites/${service().site.id}/moves?changeRequest=${request}`)
      .send({ from: '/guide/', to: '/handbook/' })
      .expect(200)
    const visit = await preview(request)
    for (const see of [visit, undefined]) {
      if (see === undefined) await within(request).publish().expect(200)
      const look = see ?? live
      assert.deepEqual(leadsTo(await look('/guide/a')), [308, '/handbook/a'])
      assert.deepEqual(leadsTo(await look('/guide/pic.svg')), [308, '/handbook/pic.svg'])
      await look('/handbook/a').expect(200, 'a')
    }
    assert.equal(dataOf<Page>(await api().get(`/pages/${page.id}`).expect(200)).path, '/handbook/a')
  })

  it('may leave 410 or a redirect, in its preview at once, and on main once it is published', async () => {
    const gone = await publish(service(), { path: '/to-go' })
    const leads = await publish(service(), { path: '/to-lead' })
    const request = await begin()
    await api().delete(`/pages/${gone.id}?gone=true&changeRequest=${request}`).expect(200)
    await api().delete(`/pages/${leads.id}?redirectTo=/else&changeRequest=${request}`).expect(200)
    const visit = await preview(request)
    await visit('/to-go').expect(410)
    assert.deepEqual(leadsTo(await visit('/to-lead')), [308, '/else'])
    for (const path of ['/to-go', '/to-lead']) await live(path).expect(200)
    const { commit } = dataOf<{ commit: string }>(await within(request).publish().expect(200))
    await live('/to-go').expect(410)
    assert.deepEqual(leadsTo(await live('/to-lead')), [308, '/else'])
    await api()
      .post(`/sites/${service().site.id}/undo`)
      .send({ commits: [commit] })
      .expect(200)
    for (const path of ['/to-go', '/to-lead']) await live(path).expect(200)
  })

  it('ends what an earlier change left at an address where it publishes', async () => {
    const { id } = await publish(service(), { path: '/was-gone', html: 'first' })
    await api().delete(`/pages/${id}?gone=true`).expect(200)
    const request = await begin()
    await within(request).put('/was-gone', 'back')
    const visit = await preview(request)
    await visit('/was-gone').expect(200, 'back')
    await live('/was-gone').expect(410)
    await within(request).publish().expect(200)
    await live('/was-gone').expect(200, 'back')
    assert.equal(dataOf<Page[]>(await api().get('/pages?path=/was-gone').expect(200))[0]?.id, id)
  })
})
