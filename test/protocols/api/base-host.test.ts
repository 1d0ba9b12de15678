import assert from 'node:assert/strict'
import { request } from 'node:http'
import supertest from 'supertest'
import { startOwnService, startTestService, type TestService } from '../../support/service.js'

describe('the base host', () => {
  let service: TestService
  afterEach(() => service.stop())

  it('orders browsers to use https on every path, only if its URL is https, and not on sites', async () => {
    service = await startOwnService({ env: { BASE_URL: 'https://api.example.org', SITE_DOMAIN: 'localhost' } })
    for (const path of ['/', '/docs', '/healthz', '/api/v1/me', '/mcp', '/nothing']) {
      const answer = await supertest(service.origin).get(path).set('Host', 'api.example.org')
      assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000', path)
    }
    assert.equal((await service.visit('/')).headers['strict-transport-security'], undefined)
    await service.stop()
    service = await startTestService()
    assert.equal((await supertest(service.origin).get('/docs')).headers['strict-transport-security'], undefined)
    // A tab that was opened before an update asks for files of before.
    assert.match((await supertest(service.origin).get('/assets/before.js').expect(404)).text, /reload the page/)
  })

  it('answers 405 for every method that a path does not have, also TRACE and unknown ones', async () => {
    service = await startTestService()
    for (const method of ['GET', 'DELETE', 'TRACE', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND']) {
      const { status, allow } = await send(method, '/mcp')
      assert.deepEqual([method, status, allow], [method, 405, 'POST'])
    }
    for (const path of ['/api/v1/me', '/docs', '/session', '/healthz']) {
      const { status, allow } = await send('TRACE', path)
      assert.equal(status, 405, path)
      assert.notEqual(allow, undefined, path)
    }
  })

  it('leads a browser at an unknown path to the dashboard, and tells programs in JSON', async () => {
    service = await startTestService()
    const get = (accept: string) => supertest(service.origin).get('/nothing').set('Accept', accept)
    const page = await get('text/html,application/xhtml+xml,*/*;q=0.8')
      .expect(404)
      .expect('Content-Type', /^text\/html/)
    assert.match(page.text, /<a href="\/">Open the dashboard<\/a>/)
    assert.equal((await get('*/*').expect(404)).body.error.code, 'route_not_found')
    const posted = await supertest(service.origin).post('/nothing').set('Accept', 'text/html').expect(404)
    assert.equal(posted.body.error.code, 'route_not_found')
    assert.equal(
      (await supertest(service.origin).get('/api/v1/x').set('Accept', 'text/html').expect(401)).type,
      'application/json',
    )
  })

  function send(method: string, path: string): Promise<{ status: number | undefined; allow: string | undefined }> {
    const headers = { authorization: `Bearer ${service.key}` }
    return new Promise((resolve, reject) => {
      request(`${service.origin}${path}`, { method, headers }, (answer) => {
        answer.resume().once('end', () => resolve({ status: answer.statusCode, allow: answer.headers.allow }))
      })
        .once('error', reject)
        .end()
    })
  }
})
