import assert from 'node:assert/strict'
import { codeOf, dataOf, freshPath, type Page, publish, useService } from './use-service.js'

describe('§1 what the service does', () => {
  const service = useService()

  it('a site has an id and a slug, and the slug is its subdomain', async () => {
    const answer = await service().api().get('/sites').expect(200)
    const [site] = dataOf<{ id: string; slug: string; url: string }[]>(answer)
    assert.equal(site?.slug, service().site.slug)
    assert.equal(site?.id, service().site.id)
    assert.equal(site?.url, `http://${service().site.slug}.localhost:${service().server.port}`)
  })

  it('a workspace contains sites and has a default site', async () => {
    const answer = await service().api().get('/accounts').expect(200)
    const [workspace] = dataOf<{ id: string; defaultSiteId: string }[]>(answer)
    assert.equal(workspace?.id, service().workspaceId)
    assert.equal(workspace?.defaultSiteId, service().site.id)
  })

  it('a page is live at its path when the answer to its creation arrives', async () => {
    const page = await publish(service(), { path: '/live', html: '<p>now</p>' })
    assert.equal(page.url, `http://${service().site.slug}.localhost:${service().server.port}/live`)
    const visit = await service().visit('/live').expect(200)
    assert.equal(visit.text, '<p>now</p>')
    assert.equal(visit.headers['content-type'], 'text/html; charset=utf-8')
  })

  it("replacing a page's HTML creates a new version", async () => {
    const page = await publish(service())
    const answer = await service().api().put(`/pages/${page.id}/content`).send({ html: '<h1>Two</h1>' }).expect(200)
    assert.equal(dataOf<Page>(answer).version.number, 2)
    assert.notEqual(dataOf<Page>(answer).version.id, page.version.id)
  })

  it('deleting a page unpublishes it', async () => {
    const page = await publish(service())
    await service().api().delete(`/pages/${page.id}`).expect(200)
    await service().visit(page.path).expect(404)
  })

  it('workspaces hold collections of records', async () => {
    const created = await service().api().post('/collections').send({ name: 'notes' }).expect(201)
    const { id } = dataOf<{ id: string }>(created)
    await service()
      .api()
      .post(`/collections/${id}/records`)
      .send({ data: { text: 'remember' } })
      .expect(201)
    const found = await service().api().get(`/collections/${id}/records?q=remem`).expect(200)
    assert.deepEqual(
      dataOf<{ data: object }[]>(found).map(({ data }) => data),
      [{ text: 'remember' }],
    )
  })

  it('every row of the table of endpoints answers under /api/v1', async () => {
    const page = await publish(service())
    const created = await service().api().post('/collections').send({ name: 'rows' }).expect(201)
    const { id } = dataOf<{ id: string }>(created)
    await service().api().get('/accounts').expect(200)
    await service().api().get('/sites').expect(200)
    await service().api().get('/pages').expect(200)
    await service().api().get(`/pages/${page.id}`).expect(200)
    await service().api().post('/pages').send({ path: freshPath() }).expect(201)
    await service().api().put(`/pages/${page.id}/content`).send({ html: 'x' }).expect(200)
    await service().api().delete(`/pages/${page.id}`).expect(200)
    await service().api().get('/collections').expect(200)
    await service().api().get(`/collections/${id}/records`).expect(200)
    await service().api().post(`/collections/${id}/records`).send({ data: {} }).expect(201)
  })

  it('answers 404 outside the table of endpoints, and 405 with the allowed methods inside it', async () => {
    assert.equal(codeOf(await service().api().get('/nothing').expect(404)), 'route_not_found')
    const refused = await service().api().patch('/pages').send({}).expect(405)
    assert.equal(refused.headers['allow'], 'GET, HEAD, POST, PUT, OPTIONS')
  })
})
