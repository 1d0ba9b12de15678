import assert from 'node:assert/strict'
import { codeOf, dataOf, type Page, publish, useService } from '../../spec/use-service.js'
import { git } from '../../support/git.js'
import { manifestOf, tarOf } from '../files/folder.js'

describe('unpublishing a page', () => {
  const service = useService()
  const api = () => service().api()
  const visit = (path: string) => service().visit(path).redirects(0)
  const head = () => git(service().gitdir(), 'rev-parse', 'main')

  it('may leave 410 at its address, until it is published again', async () => {
    const { id } = await publish(service(), { path: '/gone', html: 'here' })
    await api().delete(`/pages/${id}?gone=true`).expect(200)
    await visit('/gone').expect(410)
    await visit('/gone.html').expect(410)
    assert.equal((await api().delete(`/pages/${id}?gone=true`).expect(200)).body.data.changed, false)
    const again = dataOf<Page>(await api().post('/pages').send({ path: '/gone', html: 'back' }).expect(201))
    assert.equal(again.id, id)
    await visit('/gone').expect(200, 'back')
    await api().delete(`/pages/${id}`).expect(200)
    await visit('/gone').expect(404)
  })

  it('may leave a redirect to a path or a URL, until it is published again by any way', async () => {
    for (const [to, location] of [
      ['/new place?x=1#y', '/new%20place?x=1#y'],
      ['https://other.example/x', 'https://other.example/x'],
      [`http://${service().site.slug}.localhost:${service().server.port}/own`, '/own'],
    ] as const) {
      const { id } = await publish(service(), { path: '/leads' })
      await api()
        .delete(`/pages/${id}?redirectTo=${encodeURIComponent(to)}`)
        .expect(200)
      const answer = await visit('/leads')
      assert.deepEqual(
        [answer.status, answer.get('Location'), answer.get('Cache-Control')],
        [308, location, 'no-cache'],
      )
      await api().post(`/pages/${id}/rollback`).send({ version: 1 }).expect(200)
      await visit('/leads').expect(200)
      await api().delete(`/pages/${id}`).expect(200)
      await visit('/leads').expect(404)
    }
  })

  it('can say so later, and otherwise', async () => {
    const { id } = await publish(service(), { path: '/later' })
    await api().delete(`/pages/${id}`).expect(200)
    await api().delete(`/pages/${id}?gone=true`).expect(200)
    await visit('/later').expect(410)
    await api().delete(`/pages/${id}?redirectTo=/elsewhere`).expect(200)
    await visit('/later').expect(308)
    const before = head()
    await api().delete(`/pages/${id}?redirectTo=/elsewhere`).expect(200)
    assert.equal(head(), before)
  })

  it('refuses what is no address, and redirects that would lead back', async () => {
    const one = await publish(service(), { path: '/one' })
    const two = await publish(service(), { path: '/two' })
    const before = head()
    for (const [query, status, code] of [
      ['redirectTo=//other.example/', 400, 'invalid_query'],
      ['redirectTo=elsewhere', 400, 'invalid_query'],
      ['redirectTo=javascript:alert(1)', 400, 'invalid_query'],
      ['redirectTo=%2F%5Cother.example', 400, 'invalid_query'],
      ['redirectTo=/x&gone=true', 400, 'invalid_query'],
      ['redirectTo=/one.html', 409, 'conflict'],
    ] as const) {
      const answer = await api().delete(`/pages/${one.id}?${query}`)
      assert.deepEqual([answer.status, codeOf(answer)], [status, code], query)
    }
    assert.equal(head(), before)
    await api().delete(`/pages/${one.id}?redirectTo=/two`).expect(200)
    assert.equal(codeOf(await api().delete(`/pages/${two.id}?redirectTo=/one`).expect(409)), 'conflict')
    await visit('/two').expect(200)
  })

  it('is shown in a dry run, and undone with its answer', async () => {
    const { id } = await publish(service(), { path: '/tried' })
    const { dryRun } = dataOf<{ dryRun: { previewUrl: string } }>(
      await api().delete(`/pages/${id}?gone=true&dryRun=true`).expect(200),
    )
    const { host } = new URL(dryRun.previewUrl)
    await service().visit('/tried').set('Host', host).expect(410)
    await visit('/tried').expect(200)
    await api().delete(`/pages/${id}?gone=true`).expect(200)
    await api().post(`/sites/${service().site.id}/revert`).send({ commit: head() }).expect(201)
    await visit('/tried').expect(200)
    await api().delete(`/pages/${id}`).expect(200)
    await visit('/tried').expect(404)
  })

  it('ends with a deploy that brings the page', async () => {
    const { id } = await publish(service(), { path: '/deployed' })
    await api().delete(`/pages/${id}?gone=true`).expect(200)
    const files = { 'deployed.html': 'back' }
    const made = dataOf<{ id: string; missing: string[] }>(
      await api()
        .post('/deploys')
        .send({ files: manifestOf(files) })
        .expect(201),
    )
    await api().post(`/deploys/${made.id}/blobs`).send(tarOf(files, made.missing)).expect(200)
    await api().post(`/deploys/${made.id}/publish`).expect(200)
    await visit('/deployed').expect(200, 'back')
    assert.equal(dataOf<Page[]>(await api().get('/pages?path=/deployed').expect(200))[0]?.id, id)
    await api().delete(`/pages/${id}`).expect(200)
    await visit('/deployed').expect(404)
  })
})

describe('duplicating a page', () => {
  const service = useService()

  it('makes a new page with the same html, title and template', async () => {
    const api = service().api()
    const page = dataOf<Page>(
      await api.post('/pages').send({ path: '/template', templateId: 'blank', title: 'From it' }).expect(201),
    )
    const copy = dataOf<Page>(await api.post('/pages').send({ path: '/copy', duplicateOf: page.id }).expect(201))
    assert.notEqual(copy.id, page.id)
    for (const field of ['title', 'titleIsSet', 'templateId', 'size']) assert.equal(copy[field], page[field], field)
    const { text } = await service().visit('/template').expect(200)
    await service().visit('/copy').expect(200, text)
    const named = dataOf<Page>(
      await api.post('/pages').send({ path: '/named', duplicateOf: page.id, title: 'Own' }).expect(201),
    )
    assert.equal(named['title'], 'Own')
  })

  it('is refused for a page that is not there, and together with html', async () => {
    const api = service().api()
    const page = await publish(service(), { path: '/source' })
    const send = (body: object) => api.post('/pages').send({ path: '/target', ...body })
    const unknown = '11111111-1111-4111-8111-111111111111'
    assert.equal(codeOf(await send({ duplicateOf: unknown }).expect(404)), 'page_not_found')
    assert.equal(codeOf(await send({ duplicateOf: page.id, html: 'x' }).expect(400)), 'invalid_body')
    await api.delete(`/pages/${page.id}`).expect(200)
    assert.equal(codeOf(await send({ duplicateOf: page.id })), 'page_unpublished')
  })
})
