import assert from 'node:assert/strict'
import { assert as check, asyncProperty, constantFrom, oneof, stringMatching } from 'fast-check'
import supertest from 'supertest'
import { startOwnService, type TestService } from '../../support/service.js'

const APP = 'https://app.example'
const OFFICE = 'https://office.example'

type Headers = Record<string, string>

describe('web pages of other origins', () => {
  let service: TestService
  /** Names APP as its only origin. */
  let named: string
  before(async () => {
    service = await startOwnService({ env: { ALLOWED_ORIGINS: OFFICE } })
    named = (await service.mint({ origins: [APP], scopes: ['admin'] })).key
  })
  after(() => service.stop())

  const bearer = (key: string, origin: string): Headers => ({ Authorization: `Bearer ${key}`, Origin: origin })
  const get = (path: string, headers: Headers) => supertest(service.origin).get(path).set(headers)
  const codeOf = ({ body }: supertest.Response) => (body as { error?: { code: string } }).error?.code
  const allowed = ({ headers }: supertest.Response) => headers['access-control-allow-origin']

  it('are told which requests they may send before any key is known, on any path', async () => {
    for (const path of ['/api/v1/pages', '/api/v1/nothing', '/mcp']) {
      const { status, headers } = await supertest(service.origin).options(path).set({
        Origin: APP,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'authorization,if-match',
      })
      assert.equal(status, 204, path)
      assert.equal(headers['access-control-allow-origin'], APP)
      assert.match(headers['access-control-allow-methods'] as string, /\bPUT\b/)
      assert.equal(headers['access-control-allow-headers'], 'authorization,if-match')
      assert.match(headers['vary'] as string, /\bOrigin\b/)
      assert.equal(headers['access-control-allow-credentials'], undefined)
    }
  })

  it('use a key that names their origin, and read the fields of the answer', async () => {
    const { body } = await supertest(service.origin)
      .post('/api/v1/pages')
      .set({ ...bearer(named, APP), 'Sec-Fetch-Site': 'cross-site' })
      .send({ path: '/from-elsewhere', html: '<h1>Elsewhere</h1>' })
      .expect(201)
    const { id, etag } = (body as { data: { id: string; etag: string } }).data
    const read = await get(`/api/v1/pages/${id}`, bearer(named, APP))
    assert.deepEqual([read.status, allowed(read)], [200, APP])
    for (const field of ['ETag', 'Location', 'Retry-After', 'X-Request-Id'])
      assert.ok((read.headers['access-control-expose-headers'] as string).split(', ').includes(field), field)
    assert.equal(read.headers['access-control-allow-credentials'], undefined)
    const unchanged = await get(`/api/v1/pages/${id}`, { ...bearer(named, APP), 'If-None-Match': etag })
    assert.deepEqual([unchanged.status, allowed(unchanged)], [304, APP])
    const bytes = await supertest(service.origin)
      .put('/api/v1/files?path=/x.txt')
      .set(bearer(named, APP))
      .send('x')
      .expect(201)
    assert.equal(allowed(bytes), APP)
    assert.equal(allowed(await get('/api/v1/files/content?path=/x.txt', bearer(named, APP))), APP)
  })

  it('can read refusals, also that a key is not valid', async () => {
    for (const [path, key, status] of [
      ['/api/v1/pages/3f2a9c1e-5b7d-4e0a-9c1f-2d4b6a8c0e12', named, 404],
      ['/api/v1/pages?limit=no', named, 400],
      ['/api/v1/nothing', named, 404],
      ['/api/v1/me', 'nobody', 401],
    ] as const) {
      const answer = await get(path, bearer(key, APP))
      assert.deepEqual([answer.status, allowed(answer)], [status, APP], path)
    }
    assert.equal(allowed(await get('/api/v1/me', { Origin: APP })), APP)
  })

  it('are refused before anything is done if the key names other origins', async () => {
    for (const origin of [OFFICE, 'null', 'http://app.example', 'https://app.example:8443', 'https://x.app.example']) {
      const answer = await supertest(service.origin)
        .put('/api/v1/pages?path=/never')
        .set(bearer(named, origin))
        .send({ html: 'x' })
      assert.deepEqual([answer.status, codeOf(answer)], [403, 'origin_not_allowed'], origin)
      assert.equal(allowed(answer), undefined, origin)
      assert.match(answer.headers['vary'] as string, /\bOrigin\b/)
    }
    await service.visit('/never').expect(404)
  })

  it('can use a key without origins, such as an old one, only if the service names their origin', async () => {
    const answer = await get('/api/v1/me', bearer(service.key, OFFICE))
    assert.deepEqual([answer.status, allowed(answer)], [200, OFFICE])
    assert.equal(codeOf(await get('/api/v1/me', bearer(service.key, APP))), 'origin_not_allowed')
  })

  it('can reach the tools with such a key too', async () => {
    const ping = (key: string, origin: string) =>
      supertest(service.origin)
        .post('/mcp')
        .set({ ...bearer(key, origin), Accept: 'application/json, text/event-stream' })
        .send({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const answer = await ping(named, APP)
    assert.deepEqual([answer.status, allowed(answer)], [200, APP])
    const refused = await ping(named, OFFICE)
    assert.deepEqual([refused.status, codeOf(refused), allowed(refused)], [403, 'origin_not_allowed', undefined])
  })

  it('can never use a session, nor learn of one', async () => {
    for (const path of ['/api/v1/pages', '/session']) {
      const fields = { Cookie: 'session=guess', Origin: OFFICE, 'Sec-Fetch-Site': 'cross-site' }
      const answer = await supertest(service.origin).post(path).set(fields)
      assert.deepEqual([answer.status, allowed(answer)], [403, undefined], path)
    }
  })

  it("can read hosted sites by the sites' own rules", async () => {
    const page = await service.visit('/').set('Origin', OFFICE).expect(200)
    assert.equal(allowed(page), undefined)
  })

  it('are the only ones checked: programs and pages of the service itself are not', async () => {
    const own = `http://127.0.0.1:${service.server.port}`
    assert.equal(allowed(await get('/api/v1/me', { Authorization: `Bearer ${named}` }).expect(200)), undefined)
    await get('/api/v1/me', bearer(named, own)).expect(200)
  })

  it('are never mistaken for similar ones', async () => {
    const alike = oneof(
      constantFrom(
        'https://app.example.',
        'https://app.example/',
        'https://APP.example',
        `${APP}, ${APP}`,
        `${APP}@evil.example`,
      ),
      stringMatching(/^https?:\/\/[a-z.]{0,3}app[.-]example[a-z.:0-9]{0,5}$/).filter((origin) => origin !== APP),
      stringMatching(/^[!-~]{1,30}$/),
    )
    await check(
      asyncProperty(alike, async (origin) => {
        const answer = await get('/api/v1/me', bearer(named, origin))
        assert.deepEqual([answer.status, allowed(answer)], [403, undefined], origin)
      }),
      { numRuns: 60 },
    )
  })

  it('are limited for a minted key to those of its minter', async () => {
    const minter = service.api(named)
    const inherited = await minter.post('/keys').send({ label: 'child' }).expect(201)
    assert.deepEqual((inherited.body as { data: { origins: string[] } }).data.origins, [APP])
    for (const origins of [[APP, OFFICE], ['https://app.example/'], ['null'], ['*']])
      assert.equal(codeOf(await minter.post('/keys').send({ label: 'child', origins })), 'invalid_body')
    const admin = service.api((await service.mint({ scopes: ['admin'] })).key)
    const { body } = await admin.post('/keys').send({ label: 'wide' }).expect(201)
    const { id } = (body as { data: { id: string } }).data
    assert.equal(codeOf(await minter.delete(`/keys/${id}`)), 'key_not_found')
    const own = await minter.get('/keys').expect(200)
    const [first] = (own.body as { data: { id: string; origins: string[] }[] }).data
    const rotated = await minter.post(`/keys/${first?.id}/rotate`).send({}).expect(201)
    assert.deepEqual((rotated.body as { data: { origins: string[] } }).data.origins, [APP])
  })
})
