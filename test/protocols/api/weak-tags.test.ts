import assert from 'node:assert/strict'
import { startTestService, type TestService } from '../../support/service.js'

type Answer = { body: { data?: { id: string }; error?: { code: string; message: string } } }

describe('a write whose If-Match has a weak entity tag', () => {
  let service: TestService
  const targets: [method: 'put' | 'patch' | 'delete', path: string, body: object | undefined][] = []

  before(async () => {
    service = await startTestService()
    const idOf = async (path: string, body: object) =>
      ((await service.api().post(path).send(body).expect(201)) as Answer).body.data?.id ?? ''
    const page = await idOf('/pages', { path: '/a', html: 'a' })
    const collection = await idOf('/collections', { name: 'c' })
    const record = await idOf(`/collections/${collection}/records`, { data: {} })
    await service.api().put('/files?path=/a.css').type('text/css').send('a').expect(201)
    targets.push(
      ['put', `/pages/${page}/content`, { html: 'b' }],
      ['patch', `/pages/${page}/content`, { edits: [{ find: 'a', replace: 'b' }] }],
      ['patch', `/pages/${page}`, { title: 'b' }],
      ['delete', `/pages/${page}`, undefined],
      ['put', `/collections/${collection}`, { name: 'd' }],
      ['put', `/collections/${collection}/records/${record}`, { data: { b: 1 } }],
      ['patch', '/files/content?path=/a.css', { edits: [{ find: 'a', replace: 'b' }] }],
      ['delete', '/files?path=/a.css', undefined],
    )
  })
  after(() => service.stop())

  it('is 412, and says that a proxy changed the tag', async () => {
    for (const [method, path, body] of targets) {
      const sent = service.api()[method](path).set('If-Match', 'W/"9fceb02d0ae598e95dc970b74767f19372d61af8"')
      const { body: refused } = (await (body === undefined ? sent : sent.send(body)).expect(412)) as Answer
      assert.equal(refused.error?.code, 'precondition_failed', path)
      assert.match(refused.error?.message ?? '', /only weak entity tags.*without W\//, path)
    }
  })

  it('works if a strong one is there too, and is 404 where nothing is', async () => {
    const [, page] = targets.find(([method]) => method === 'delete') ?? []
    const { headers } = await service.api().get(String(page)).expect(200)
    const tag = headers['etag'] as string
    await service.api().patch(String(page)).set('If-Match', `W/"x", ${tag}`).send({ title: 'c' }).expect(200)
    const gone = '/pages/3f2a9c1e-5b7d-4e0a-9c1f-2d4b6a8c0e12'
    await service.api().patch(gone).set('If-Match', `W/${tag}`).send({ title: 'c' }).expect(404)
  })
})
