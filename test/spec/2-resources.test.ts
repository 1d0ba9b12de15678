import assert from 'node:assert/strict'
import { codeOf, dataOf, freshPath, type Page, publish, UNKNOWN_ID, useService } from './use-service.js'

describe('§2 resources and their fields', () => {
  const service = useService()
  const create = (body: object) => service().api().post('/pages').send(body)

  it('a page needs only a path', async () => {
    const refused = await create({ html: 'x' }).expect(400)
    assert.equal(codeOf(refused), 'invalid_body')
    assert.deepEqual((refused.body as { error: { details: unknown } }).error.details, [
      { field: '/path', message: 'is required' },
    ])
    await create({ path: freshPath() }).expect(201)
  })

  it('a page is identified by a uuid, and has the fields of its answer', async () => {
    const path = freshPath()
    const page = dataOf<Page>(await create({ path, html: '<p>é</p>', title: 'Title' }).expect(201))
    assert.match(page.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepEqual(
      { ...page, id: '', url: '', version: 0, etag: '', createdAt: '', updatedAt: '' },
      {
        id: '',
        siteId: service().site.id,
        path,
        url: '',
        title: 'Title',
        titleIsSet: true,
        templateId: null,
        status: 'published',
        version: 0,
        etag: '',
        size: 9,
        createdAt: '',
        updatedAt: '',
      },
    )
    assert.equal(page.version.number, 1)
    assert.equal(page.etag, `"${page.version.id}"`)
  })

  it('a single page is answered with its html, a list without', async () => {
    const page = await publish(service(), { html: '<p>whole</p>' })
    const one = dataOf<Page>(await service().api().get(`/pages/${page.id}`).expect(200))
    assert.equal(one['html'], '<p>whole</p>')
    const [listed] = dataOf<Page[]>(await service().api().get(`/pages?path=${page.path}`).expect(200))
    assert.equal(listed?.['html'], undefined)
    assert.equal(listed?.id, page.id)
  })

  it('a templateId renders the template with the title, and html fills its content', async () => {
    const body = { path: freshPath(), templateId: 'article', title: 'A <b>', html: '<p>in it</p>' }
    const page = dataOf<Page>(await create(body).expect(201))
    assert.equal(page['templateId'], 'article')
    const { text } = await service().visit(page.path).expect(200)
    assert.match(text, /A &lt;b&gt;/)
    assert.match(text, /<p>in it<\/p>/)
  })

  it('an unknown template is refused, with the existing ones named', async () => {
    const refused = await create({ path: freshPath(), templateId: 'nope' }).expect(400)
    assert.equal(codeOf(refused), 'unknown_template')
    assert.match(JSON.stringify(refused.body), /blank/)
    const templates = dataOf<{ id: string }[]>(await service().api().get('/templates').expect(200))
    assert.equal(templates.length, 3)
  })

  it('a page without html and templateId is blank', async () => {
    const page = dataOf<Page>(await create({ path: freshPath(), title: 'Empty' }).expect(201))
    assert.match((await service().visit(page.path).expect(200)).text, /<title>Empty<\/title>/)
  })

  it('a siteId in the body names the site', async () => {
    await create({ path: freshPath(), siteId: service().site.id }).expect(201)
    assert.equal(codeOf(await create({ path: freshPath(), siteId: UNKNOWN_ID }).expect(404)), 'site_not_found')
  })

  it('unknown fields are refused, and the known ones named', async () => {
    const refused = await create({ path: freshPath(), html: 'x', colour: 'red' }).expect(400)
    const { details } = (refused.body as { error: { details: { field: string; message: string }[] } }).error
    assert.deepEqual(details, [
      {
        field: '/colour',
        message: 'is not known here; known are: asPage, duplicateOf, html, path, siteId, templateId, title',
      },
    ])
  })

  it('successful answers are {success: true, data}, and lists add paging', async () => {
    const one = await service().api().get('/me').expect(200)
    assert.deepEqual(Object.keys(one.body as object).toSorted(), ['data', 'success'])
    assert.equal((one.body as { success: unknown }).success, true)
    const list = await service().api().get('/pages').expect(200)
    assert.deepEqual(Object.keys(list.body as object).toSorted(), ['data', 'paging', 'success'])
    assert.ok(Array.isArray((list.body as { data: unknown }).data))
  })
})
