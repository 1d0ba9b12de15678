import assert from 'node:assert/strict'
import { codeOf, dataOf, freshPath, type Page, publish, UNKNOWN_ID, useService } from './use-service.js'

interface Collection {
  id: string
  name: string
  schema: object | null
}

interface RecordOf {
  id: string
  etag: string
  data: Record<string, unknown>
}

describe('§4 endpoints', () => {
  const service = useService()

  describe('common headers', () => {
    it('x-service-account-id names the workspace, and defaults to that of the key', async () => {
      await service().api().get('/pages').set('x-service-account-id', service().workspaceId).expect(200)
      const refused = await service().api().get('/pages').set('x-service-account-id', UNKNOWN_ID).expect(404)
      assert.equal(codeOf(refused), 'workspace_not_found')
    })

    it('x-service-site-id names the site, and defaults to the default site', async () => {
      const { key } = await service().mint({ scopes: ['admin'] })
      const site = dataOf<{ id: string }>(
        await service().api(key).post('/sites').send({ slug: 'second-endpoint' }).expect(201),
      )
      const path = freshPath()
      await service().api().post('/pages').set('x-service-site-id', site.id).send({ path, html: 'second' }).expect(201)
      assert.equal((await service().visit(path, 'second-endpoint').expect(200)).text, 'second')
      await service().visit(path).expect(404)
      const list = dataOf<Page[]>(await service().api().get('/pages').set('x-service-site-id', site.id).expect(200))
      assert.deepEqual(
        list.map((page) => page.path),
        [path],
      )
      const refused = await service().api().get('/pages').set('x-service-site-id', UNKNOWN_ID).expect(404)
      assert.equal(codeOf(refused), 'site_not_found')
    })

    it('a header and a body that name different sites are refused', async () => {
      const refused = await service()
        .api()
        .post('/pages')
        .set('x-service-site-id', service().site.id)
        .send({ path: freshPath(), siteId: UNKNOWN_ID })
        .expect(400)
      assert.equal(codeOf(refused), 'site_mismatch')
    })

    it('an empty header counts as absent, as a variable that is not set sends it', async () => {
      const empty = { 'x-service-site-id': '', 'x-service-account-id': '' }
      await service().api().get('/pages').set(empty).expect(200)
      await service().api().post('/pages').set(empty).send({ path: freshPath(), html: 'x' }).expect(201)
    })

    it('a header that is not a UUID is refused as malformed', async () => {
      const refused = await service().api().get('/pages').set('x-service-site-id', 'demo').expect(400)
      assert.equal(codeOf(refused), 'invalid_header')
    })
  })

  describe('pages', () => {
    it('creating a page answers 201 with its Location and the page', async () => {
      const answer = await service().api().post('/pages').send({ path: freshPath(), html: 'x' }).expect(201)
      const page = dataOf<Page>(answer)
      assert.equal(answer.headers['location'], `http://localhost:${service().server.port}/api/v1/pages/${page.id}`)
      assert.equal(answer.headers['etag'], page.etag)
    })

    it('a path that is taken is a conflict that names its page', async () => {
      const page = await publish(service())
      const refused = await service().api().post('/pages').send({ path: page.path, html: 'mine' }).expect(409)
      assert.equal(codeOf(refused), 'page_exists')
      assert.match(JSON.stringify(refused.body), new RegExp(page.id))
    })

    it('pages are listed in the order of their paths, in parts, by prefix and by text', async () => {
      for (const name of ['c', 'a', 'b']) await publish(service(), { path: `/list/${name}`, title: `Entry ${name}` })
      const list = (query: string) => service().api().get(`/pages?${query}`)
      const all = dataOf<Page[]>(await list('prefix=/list/').expect(200))
      assert.deepEqual(
        all.map(({ path }) => path),
        ['/list/a', '/list/b', '/list/c'],
      )
      const first = await list('prefix=/list/&limit=2').expect(200)
      const { nextCursor } = (first.body as { paging: { nextCursor: string } }).paging
      const rest = await list(`prefix=/list/&limit=2&cursor=${encodeURIComponent(nextCursor)}`).expect(200)
      assert.deepEqual(
        dataOf<Page[]>(rest).map(({ path }) => path),
        ['/list/c'],
      )
      assert.equal((rest.body as { paging: { nextCursor: null } }).paging.nextCursor, null)
      assert.deepEqual(
        dataOf<Page[]>(await list('q=entry%20B').expect(200)).map(({ path }) => path),
        ['/list/b'],
      )
    })

    it('PUT of raw HTML to a path creates the page, then replaces it', async () => {
      const path = freshPath()
      const put = (html: string) =>
        service().api().put(`/pages?path=${path}`).set('Content-Type', 'text/html').send(html)
      const created = dataOf<Page>(await put('<p>raw</p>').expect(201))
      const replaced = dataOf<Page>(await put('<p>raw again</p>').expect(200))
      assert.equal(replaced.id, created.id)
      assert.equal((await service().visit(path)).text, '<p>raw again</p>')
    })

    it("a page's title is changed on its own, and stays through a replacement", async () => {
      const page = await publish(service())
      await service().api().patch(`/pages/${page.id}`).send({ title: 'Named' }).expect(200)
      const replaced = await service()
        .api()
        .put(`/pages/${page.id}/content`)
        .send({ html: '<title>x</title>' })
        .expect(200)
      assert.equal(dataOf<Page>(replaced)['title'], 'Named')
    })

    it('an unknown page id is answered 404, a malformed one 400', async () => {
      assert.equal(codeOf(await service().api().get(`/pages/${UNKNOWN_ID}`).expect(404)), 'page_not_found')
      assert.equal(codeOf(await service().api().get('/pages/not-an-id').expect(400)), 'invalid_id')
    })

    it('a replacement guarded by an entity tag fails once the page has changed', async () => {
      const page = await publish(service())
      const put = (html: string) =>
        service().api().put(`/pages/${page.id}/content`).set('If-Match', page.etag).send({ html })
      const changed = dataOf<Page>(await put('mine').expect(200))
      const refused = await put('theirs').expect(412)
      assert.equal(codeOf(refused), 'precondition_failed')
      assert.equal(refused.headers['etag'], changed.etag)
      assert.equal((await service().visit(page.path)).text, 'mine')
    })
  })

  describe('collections and records', () => {
    const books = {
      name: 'books',
      schema: {
        type: 'object',
        properties: { title: { type: 'string' }, year: { type: 'integer' } },
        required: ['title'],
        additionalProperties: false,
      },
    }
    let made = 0
    const createCollection = async (body: object = { ...books, name: `books ${(made += 1)}` }) =>
      dataOf<Collection>(await service().api().post('/collections').send(body).expect(201))
    const addRecord = (collection: Collection, data: object) =>
      service().api().post(`/collections/${collection.id}/records`).send({ data })

    it('a collection is created with a name and a schema, and listed', async () => {
      const created = await createCollection(books)
      assert.deepEqual({ name: created.name, schema: created.schema }, books)
      const list = dataOf<Collection[]>(await service().api().get('/collections').expect(200))
      assert.ok(list.some(({ id }) => id === created.id))
    })

    it('a record that does not fit the schema is refused with its fields', async () => {
      const refused = await addRecord(await createCollection(), { title: 1, colour: 'red' }).expect(400)
      assert.equal(codeOf(refused), 'invalid_record')
      const { details } = (refused.body as { error: { details: { field: string }[] } }).error
      assert.ok(details.some(({ field }) => field === '/data/title'))
    })

    it('records are searched, filtered and sorted', async () => {
      const collection = await createCollection()
      await addRecord(collection, { title: 'Metamorphoses', year: 8 }).expect(201)
      await addRecord(collection, { title: 'Fasti', year: 10 }).expect(201)
      await addRecord(collection, { title: 'Amores', year: -16 }).expect(201)
      const titles = async (query: string) => {
        const answer = await service().api().get(`/collections/${collection.id}/records?${query}`).expect(200)
        return dataOf<RecordOf[]>(answer).map(({ data }) => data['title'])
      }
      assert.deepEqual(await titles('sort=-year'), ['Fasti', 'Metamorphoses', 'Amores'])
      assert.deepEqual(await titles('filter[year][gte]=8&sort=title'), ['Fasti', 'Metamorphoses'])
      assert.deepEqual(await titles('filter[title]=Amores'), ['Amores'])
      assert.deepEqual(await titles('filter=year%3E=8&filter=title~fa'), ['Fasti'])
      assert.deepEqual(await titles('filter=title=Amores'), ['Amores'])
      assert.deepEqual(await titles('filter=year>=8&filter[title]=Fasti'), ['Fasti'])
      assert.deepEqual(await titles('q=metam'), ['Metamorphoses'])
      assert.deepEqual(await titles(`q=${encodeURIComponent('"*" OR NEAR(')}`), [])
    })

    it('a record is read, replaced under its entity tag, and deleted', async () => {
      const collection = await createCollection()
      const record = dataOf<RecordOf>(await addRecord(collection, { title: 'Fasti' }).expect(201))
      const path = `/collections/${collection.id}/records/${record.id}`
      await service()
        .api()
        .put(path)
        .set('If-Match', record.etag)
        .send({ data: { title: 'Tristia' } })
        .expect(200)
      await service()
        .api()
        .put(path)
        .set('If-Match', record.etag)
        .send({ data: { title: 'Ibis' } })
        .expect(412)
      assert.equal(dataOf<RecordOf>(await service().api().get(path).expect(200)).data['title'], 'Tristia')
      await service().api().delete(path).expect(200)
      assert.equal(codeOf(await service().api().get(path).expect(404)), 'record_not_found')
    })

    it('records and reserved files are never served', async () => {
      const collection = await createCollection()
      const record = dataOf<RecordOf>(await addRecord(collection, { title: 'secret' }).expect(201))
      await service().visit(`/collections/${collection.id}/${record.id}.json`).expect(404)
      await service().visit(`/collections/${collection.id}.json`).expect(404)
      await service().visit('/.site.json').expect(404)
    })

    it('a schema with an unsafe pattern is refused, and one that backtracks delays no other request', async () => {
      const refused = await service()
        .api()
        .post('/collections')
        .send({ name: 'x', schema: { type: 'nonsense' } })
        .expect(400)
      assert.equal(codeOf(refused), 'invalid_schema')
      const schema = { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } }
      const collection = await createCollection({ name: 'hostile', schema })
      await addRecord(collection, { s: `${'a'.repeat(50_000)}!` }).expect(400)
    })
  })

  it('rule 3: unknown and repeated query parameters are refused, with the known ones named', async () => {
    const refused = await service().api().get('/pages?page=2').expect(400)
    assert.equal(codeOf(refused), 'invalid_query')
    assert.match(JSON.stringify(refused.body), /as, changeRequest, cursor, id, limit, path, prefix, q, status/)
    await service().api().get('/pages?limit=1&limit=2').expect(400)
    await service().api().get('/pages?limit=0').expect(400)
    await service().api().get('/pages?limit=1001').expect(400)
    assert.equal(codeOf(await service().api().get('/pages?cursor=nonsense').expect(400)), 'invalid_cursor')
  })

  it('a body of another media type than JSON is refused with an error of its own', async () => {
    const post = () => service().api().post('/pages')
    assert.equal(codeOf(await post().type('json').send('{"path":').expect(400)), 'invalid_json')
    assert.equal(codeOf(await post().type('json').send('').expect(400)), 'invalid_json')
    assert.equal(codeOf(await post().type('json').send('[1]').expect(400)), 'invalid_body')
    assert.equal(codeOf(await post().type('form').send('path=/a').expect(415)), 'unsupported_media_type')
    const packed = await post().type('json').set('Content-Encoding', 'gzip').send('{}').expect(415)
    assert.equal(codeOf(packed), 'unsupported_media_type')
    const deep = `{"path":"/deep","title":${'['.repeat(100)}${']'.repeat(100)}}`
    assert.equal(codeOf(await post().type('json').send(deep).expect(400)), 'invalid_json')
    const half = '{"path":"/half","html":"\\ud800"}'
    assert.equal(codeOf(await post().type('json').send(half).expect(400)), 'invalid_json')
  })

  it('a repeated POST with an Idempotency-Key is answered again and applied once', async () => {
    const path = freshPath()
    const post = (html: string) =>
      service().api().post('/pages').set('Idempotency-Key', `key-of-${path}`).send({ path, html })
    const first = await post('once').expect(201)
    const again = await post('once').expect(201)
    assert.deepEqual(again.body, first.body)
    assert.equal(codeOf(await post('other').expect(422)), 'idempotency_key_reused')
  })
})
