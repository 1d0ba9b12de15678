import assert from 'node:assert/strict'
import { startTestService, type TestService } from '../../support/service.js'

interface Answer {
  headers: Record<string, string>
  body: { data?: Record<string, unknown>; error?: { code: string; details?: Record<string, unknown> } }
}

const EARLIER = '<p>one</p>\n<p>two</p>\n<p>three</p>\n'

describe('onConflict=merge over HTTP', () => {
  let service: TestService
  let page: string
  let etag: string
  let pages = 0
  const put = (query: string) => service.api().put(`/pages/${page}/content${query}`)

  before(async () => {
    service = await startTestService()
  })
  beforeEach(async () => {
    const body = { path: `/merged-${++pages}`, html: EARLIER }
    const made: Answer = await service.api().post('/pages').send(body).expect(201)
    page = String(made.body.data?.['id'])
    etag = made.headers['etag'] ?? ''
    await put('')
      .send({ html: EARLIER.replace('one', 'new one') })
      .expect(200)
  })
  after(() => service.stop())

  it('takes the html as JSON or raw, and answers the entity tag of what it published', async () => {
    const html = EARLIER.replace('three', 'new three')
    const raw = put('?onConflict=merge').set('If-Match', etag).type('text/html').send(html)
    const { headers, body }: Answer = await raw.expect(200)
    assert.equal((body.data?.['mergedWith'] as unknown[] | undefined)?.length, 1)
    const now: Answer = await service.api().get(`/pages/${page}`).expect(200)
    assert.deepEqual([now.headers['etag'], now.body.data?.['html']], [headers['etag'], html.replace('one', 'new one')])
    const again: Answer = await put('?onConflict=merge').set('If-Match', etag).send({ html }).expect(200)
    assert.equal(again.body.data?.['changed'], false)
  })

  it('is 409 with both texts where lines overlap, and 428 without If-Match', async () => {
    const sent = put('?onConflict=merge')
      .set('If-Match', etag)
      .send({ html: EARLIER.replace('one', 'my one') })
    const { body }: Answer = await sent.expect(409)
    const [conflict] = (body.error?.details?.['conflicts'] ?? []) as { hunks: string }[]
    assert.equal(body.error?.code, 'merge_conflict')
    assert.match(conflict?.hunks ?? '', /^<<<<<<< ours\n<p>new one<\/p>\n=======\n<p>my one<\/p>\n>>>>>>> theirs\n/)
    const { body: needed }: Answer = await put('?onConflict=merge').send({ html: 'x' }).expect(428)
    assert.equal(needed.error?.code, 'precondition_required')
  })

  it('is a parameter of a whole batch, and of no single operation', async () => {
    const operation = { op: 'replacePage', id: page, html: EARLIER.replace('three', 'new three'), ifMatch: etag }
    const batch = (query: string, body: object) =>
      service
        .api()
        .post(`/batch${query}`)
        .send({ operations: [body] })
    const { body }: Answer = await batch('', { ...operation, onConflict: 'merge' }).expect(400)
    assert.equal(body.error?.code, 'invalid_body')
    await batch('', operation).expect(409)
    await batch('?onConflict=merge', operation).expect(200)
    await put('?onConflict=overwrite').set('If-Match', etag).send({ html: 'x' }).expect(400)
  })
})
