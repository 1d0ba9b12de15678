import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'

interface Row {
  id: string
  number: number
  state: string
  title: string
  head: string
  mine: boolean
  makers: { label: string }[]
}

describe('a change request', () => {
  let server: TestService
  let writer: string
  let proposer: string

  before(async () => {
    server = await startTestService()
    writer = (await server.mint({ label: 'Wanda', scopes: ['write'] })).key
    proposer = (await server.mint({ label: 'Paul', scopes: ['propose'] })).key
  })
  after(() => server.stop())

  const otherSite = async (): Promise<{ id: string }> => {
    const sites = (await server.mint({ scopes: ['sites'] })).key
    const { body } = await server
      .api(sites)
      .post('/sites')
      .send({ slug: `other-${randomUUID().slice(0, 8)}` })
      .expect(201)
    return (body as { data: { id: string } }).data
  }
  const api = (key = writer) => server.api(key)
  const main = () => git(server.gitdir(), 'rev-parse', 'main')
  const create = async (key = proposer, body: object = {}): Promise<Row> => {
    const { body: answer } = await api(key).post(`/sites/${server.site.id}/change-requests`).send(body).expect(201)
    return (answer as { data: Row }).data
  }

  it('takes writes of a key that may only propose, while main stays as it is', async () => {
    const before = main()
    const { id } = await create()
    const made = await api(proposer).post(`/pages?changeRequest=${id}`).send({ path: '/one', html: 'one' }).expect(201)
    assert.equal(made.body.changeRequest, id)
    const page = made.body.data.id as string
    await api(proposer).put(`/pages/${page}/content?changeRequest=${id}`).send({ html: 'two' }).expect(200)
    const read = await api(proposer).get(`/pages/${page}?changeRequest=${id}`).expect(200)
    assert.equal(read.body.data.html, 'two')
    await api(proposer).get(`/pages/${page}`).expect(404)
    await api(proposer).post('/pages').send({ path: '/no', html: 'no' }).expect(403)
    assert.equal(main(), before)
    await server.visit('/one').expect(404)
  })

  it('is made by the write that names it new, and is not made by a write that is refused', async () => {
    const made = await api(proposer)
      .put('/pages?path=/fresh&changeRequest=new')
      .set('content-type', 'text/html')
      .send('hi')
      .expect(201)
    const { body } = await api(proposer).get(`/change-requests/${made.body.changeRequest}`).expect(200)
    assert.equal(body.data.state, 'draft')
    assert.deepEqual(
      body.data.makers.map(({ label }: { label: string }) => label),
      ['Paul'],
    )
    const count = async () =>
      (await api().get(`/sites/${server.site.id}/change-requests`).expect(200)).body.data.length as number
    const before = await count()
    await api(proposer).put(`/pages/${randomUUID()}/content?changeRequest=new`).send({ html: 'x' }).expect(404)
    assert.equal(await count(), before)
  })

  it('lists what it changes with the HTML of the first page, as it is live and as it will be, if that is asked for', async () => {
    await api().put('/pages?path=/aaa-listed').send({ html: 'live' }).expect(201)
    const { body } = await api().put('/pages?path=/aaa-listed&changeRequest=new').send({ html: 'changed' }).expect(200)
    const id = body.changeRequest as string
    await api().put(`/pages?path=/bbb-listed&changeRequest=${id}`).send({ html: 'new' }).expect(201)
    const htmlIn = async (query: string) =>
      ((await api().get(`/change-requests/${id}/changes${query}`).expect(200)).body.data as { html?: object }[]).map(
        ({ html }) => html,
      )
    const first = (await htmlIn('?html=true'))[0]
    assert.deepEqual(first, { before: 'live', after: 'changed' })
    assert.equal((await htmlIn('?html=true')).filter(Boolean).length, 1)
    assert.deepEqual((await htmlIn('')).filter(Boolean), [])
    await api()
      .put(`/pages?path=/aaa-listed&changeRequest=${id}`)
      .send({ html: 'x'.repeat(300_000) })
      .expect(200)
    assert.deepEqual((await htmlIn('?html=true')).filter(Boolean), [])
  })

  it('is the one draft that a caller has of a page, wherever the caller goes on', async () => {
    const { body } = await api().put('/pages?path=/drafted').send({ html: '<title>Drafted</title>live' })
    const page = body.data.id as string
    const save = async (key: string, html: string) =>
      (await api(key).put(`/pages/${page}/content?changeRequest=draft`).send({ html }).expect(200)).body
        .changeRequest as string
    const listed = async () => {
      const answer = await api().get(`/sites/${server.site.id}/change-requests?page=${page}`).expect(200)
      return (answer.body.data as (Row & { page: string })[]).map(({ id, title, page: of }) => [id, title, of])
    }
    await api(writer).put(`/pages/${page}/content?changeRequest=draft`).send({ html: '<title>Drafted</title>live' })
    assert.deepEqual(await listed(), [])
    const own = await save(writer, 'mine')
    assert.equal(await save(writer, 'mine again'), own)
    const other = await save(proposer, 'theirs')
    assert.notEqual(other, own)
    assert.deepEqual(await listed(), [
      [other, 'Drafted', page],
      [own, 'Drafted', page],
    ])
    const read = await api().get(`/pages/${page}?changeRequest=${own}`).expect(200)
    assert.equal(read.body.data.html, 'mine again')
    const reader = (await server.mint({ scopes: ['read'] })).key
    const asDrafted = async (key: string) =>
      (await api(key).get(`/pages/${page}?changeRequest=draft`).expect(200)).body.data.html as string
    assert.deepEqual(
      [await asDrafted(writer), await asDrafted(proposer), await asDrafted(reader)],
      ['mine again', 'theirs', '<title>Drafted</title>live'],
    )
    assert.equal((await listed()).length, 2)
    await api().post(`/change-requests/${own}/publish`).send({}).expect(200)
    assert.deepEqual((await listed()).length, 1)
    assert.notEqual(await save(writer, 'anew'), own)
  })

  it('is the draft of a page that is made in it, and has its title', async () => {
    const made = await api().post('/pages?changeRequest=draft').send({ path: '/soon', html: 'x', title: 'Soon' })
    assert.equal(made.status, 201)
    const { id } = made.body.data as { id: string }
    const { body } = await api().get(`/change-requests/${made.body.changeRequest}`).expect(200)
    assert.deepEqual([body.data.page, body.data.title], [id, 'Soon'])
    const saved = await api().put(`/pages/${id}/content?changeRequest=draft`).send({ html: 'y' }).expect(200)
    assert.equal(saved.body.changeRequest, made.body.changeRequest)
  })

  it('is a draft of one page: files and batches, which have no page, take no draft', async () => {
    const createPage = { op: 'createPage', path: '/batched', html: 'x' }
    for (const [path, body] of [
      ['/files', { path: '/drafted.txt', text: 'x' }],
      ['/batch', { operations: [createPage] }],
    ] as const) {
      const refused = await api().post(`${path}?changeRequest=draft`).send(body).expect(400)
      assert.equal(refused.body.error.code, 'invalid_query')
      await api().post(`${path}?changeRequest=new&dryRun=true`).send(body).expect(200)
    }
  })

  it('answers a repeated write with the first answer, and makes one request for it', async () => {
    const send = () =>
      api(proposer).post('/pages?changeRequest=new').set('idempotency-key', 'once').send({ path: '/once', html: 'x' })
    const first = await send().expect(201)
    const again = await send().expect(201)
    assert.deepEqual(again.body, first.body)
  })

  it('is seen by its author and by those who may write to the site, and by nobody else', async () => {
    const { id, mine } = await create()
    assert.ok(mine)
    const other = (await server.mint({ label: 'Otto', scopes: ['propose'] })).key
    const reader = (await server.mint({ label: 'Rita', scopes: ['read'] })).key
    await api(other).get(`/change-requests/${id}`).expect(404)
    await api(other).post(`/pages?changeRequest=${id}`).send({ path: '/x', html: 'x' }).expect(404)
    await api(reader).get(`/change-requests/${id}`).expect(404)
    await api(reader).get(`/files/content?path=/.site.json&changeRequest=${id}`).expect(404)
    const seen = await api(other).get(`/sites/${server.site.id}/change-requests?state=all`).expect(200)
    assert.deepEqual(seen.body.data, [])
    await api(writer).get(`/change-requests/${id}`).expect(200)
  })

  it('gets a time from those who may publish it, who name the offset; a reader and its author cannot set or take one', async () => {
    const { id } = await create()
    await api(proposer).post(`/pages?changeRequest=${id}`).send({ path: '/timed', html: 'timed' }).expect(201)
    const at = new Date(Date.now() + 3600_000).toISOString()
    const publish = (key: string, body: object) => api(key).post(`/change-requests/${id}/publish`).send(body)
    await publish(proposer, { at }).expect(403)
    const local = await publish(writer, { at: at.slice(0, 19) }).expect(400)
    assert.equal(local.body.error.code, 'invalid_body')
    const { body } = await publish(writer, { at }).expect(200)
    assert.deepEqual(
      [body.data.commit, body.data.publishAt],
      [null, new Date(Math.ceil(Date.parse(at) / 1000) * 1000).toISOString().replace('.000', '')],
    )
    const seen = (await api(proposer).get(`/change-requests/${id}`).expect(200)).body.data
    assert.deepEqual([seen.publishAt, seen.scheduledBy, seen.heldAt], [body.data.publishAt, 'Wanda', null])
    await api(proposer).delete(`/change-requests/${id}/schedule`).expect(403)
    const reader = (await server.mint({ label: 'Rita', scopes: ['read'] })).key
    const listed = async (key: string) =>
      (await api(key).get(`/sites/${server.site.id}/change-requests?scheduled=true`).expect(200)).body.data.length
    assert.deepEqual([await listed(writer), await listed(proposer), await listed(reader)], [1, 1, 0])
    const { publishAt, state } = (await api().delete(`/change-requests/${id}/schedule`).expect(200)).body.data
    assert.deepEqual([publishAt, state], [null, 'draft'])
  })

  it('refuses writes once it is closed, and takes them when it is open again', async () => {
    const { id } = await create(proposer, { title: 'Hours' })
    await api(proposer).patch(`/change-requests/${id}`).send({ state: 'closed' }).expect(200)
    const refused = await api(proposer).post(`/pages?changeRequest=${id}`).send({ path: '/c', html: 'c' }).expect(409)
    assert.equal(refused.body.error.code, 'change_request_closed')
    await api(proposer).patch(`/change-requests/${id}`).send({ state: 'review' }).expect(200)
    await api(proposer).post(`/pages?changeRequest=${id}`).send({ path: '/c', html: 'c' }).expect(201)
  })

  it('takes files, records, batches and undo too', async () => {
    const { id } = await create()
    const to = `changeRequest=${id}`
    await api(proposer).put(`/files?path=/a.txt&${to}`).set('content-type', 'text/plain').send('file').expect(201)
    const { body } = await api(proposer).post(`/collections?${to}`).send({ name: 'People' }).expect(201)
    const records = `/collections/${body.data.id}/records`
    const record = await api(proposer)
      .post(`${records}?${to}`)
      .send({ data: { name: 'Ada' } })
      .expect(201)
    await api(proposer).get(`${records}/${record.body.data.id}?${to}`).expect(200)
    await api(proposer).get(`${records}/${record.body.data.id}`).expect(404)
    const { body: read } = await api(proposer).get(`/files?prefix=/&${to}`).expect(200)
    assert.ok(read.data.some(({ path }: { path: string }) => path === '/a.txt'))
    await api(proposer).get(`/files?${to}`).expect(400)
    await api(proposer).get(`/search?q=x&${to}`).expect(400)
    await api(proposer).get(`/sites/${server.site.id}/checks?${to}`).expect(200)
  })

  it('shows the preview of a dry run with all that the request holds', async () => {
    const { id } = await create()
    await api(proposer).post(`/pages?changeRequest=${id}`).send({ path: '/held', html: 'held' }).expect(201)
    const { body } = await api(proposer)
      .post(`/pages?changeRequest=${id}&dryRun=true`)
      .send({ path: '/tried', html: 'tried' })
      .expect(200)
    const label = new URL(body.data.dryRun.previewUrl as string).hostname.split('.', 1)[0] ?? ''
    await server.visit('/tried', label).expect(200, 'tried')
    await server.visit('/held', label).expect(200, 'held')
    await api(proposer)
      .get(`/pages?path=/tried&changeRequest=${id}`)
      .expect(200, /"data":\[\]/)
  })

  it('refuses a header or a page of another site', async () => {
    const { id } = await create(writer)
    const site = await otherSite()
    const refused = await api(writer)
      .post(`/pages?changeRequest=${id}`)
      .set('x-service-site-id', site.id)
      .send({ path: '/x', html: 'x' })
      .expect(400)
    assert.equal(refused.body.error.code, 'site_mismatch')
    const there = await api(writer)
      .post('/pages')
      .set('x-service-site-id', site.id)
      .send({ path: '/x', html: 'x' })
      .expect(201)
    const page = there.body.data.id as string
    const other = await api(writer).get(`/pages/${page}?changeRequest=${id}`).expect(400)
    assert.equal(other.body.error.code, 'site_mismatch')
  })
})
