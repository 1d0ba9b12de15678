import assert from 'node:assert/strict'
import { startTestService, type TestService } from '../../../support/service.js'

describe('JSON of the base host', () => {
  let service: TestService

  before(async () => {
    service = await startTestService()
  })
  after(() => service.stop())

  const fetched = async (path: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' }
    const answer = await fetch(service.origin + path, { headers, ...init })
    return { length: Number(answer.headers.get('Content-Length')), text: await answer.text() }
  }

  for (const [name, path, init] of [
    ['a list', '/api/v1/pages', {}],
    ['a page with its source', '/api/v1/pages?path=/', {}],
    ['a created page', '/api/v1/pages', { method: 'POST', body: '{"path":"/new","html":"<p>x"}' }],
    ['a refusal', '/api/v1/nothing', {}],
    ['a refusal without a key', '/api/v1/pages', { headers: {} }],
    ['the state of the service', '/healthz', {}],
  ] as const) {
    it(`ends with a line feed, which its length counts: ${name}`, async () => {
      const { length, text } = await fetched(path, init)
      assert.match(text, /\}\n$/)
      assert.doesNotMatch(text, /\n\n$/)
      assert.equal(length, Buffer.byteLength(text))
    })
  }
})

describe('the icon of the service', () => {
  it('is at the address where browsers look for one', async () => {
    const service = await startTestService()
    const answer = await fetch(`${service.origin}/favicon.ico`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('Content-Type'), 'image/svg+xml')
    assert.match(answer.headers.get('Cache-Control') ?? '', /max-age=86400/)
    assert.match(await answer.text(), /^<svg /)
    await service.stop()
  })
})
