import assert from 'node:assert/strict'
import { request } from 'node:http'
import supertest from 'supertest'
import type { OpenRoute } from '../../../../src/protocols/api/routes/open-route.js'
import { OTHER_ENDPOINTS, type OtherEndpoint } from '../../../../src/protocols/api/routes/other-endpoints.js'
import { API_PREFIX } from '../../../../src/protocols/api/routes/route.js'
import { ROUTES } from '../../../../src/protocols/api/routes/table.js'
import { createClient } from '../../../../src/protocols/client/client.js'
import { startOwnService, type TestService } from '../../../support/service.js'

const OPEN = ROUTES.filter((route): route is OpenRoute => route.caller !== 'key')
const OF_BROWSERS = OPEN.filter(({ caller }) => caller === 'browser')
const OTHERS: readonly OtherEndpoint[] = OTHER_ENDPOINTS
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' }

describe('a route that needs no key', () => {
  let service: TestService
  before(async () => {
    service = await startOwnService()
  })
  after(() => service.stop())

  const send = ({ method, path }: OpenRoute, fields: Record<string, string>) =>
    supertest(service.origin)[method](path).set(fields)
  const codeOf = ({ body }: supertest.Response) => (body as { error?: { code: string } }).error?.code

  it('of browsers is refused to the pages of other sites before anything else, also with the cookie', async () => {
    for (const route of OF_BROWSERS.filter(({ needsSession }) => !needsSession))
      for (const fields of [
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
        { Origin: 'null' },
      ]) {
        const answer = await send(route, { Cookie: 'session=guess', ...fields })
        assert.deepEqual([answer.status, codeOf(answer)], [403, 'cross_site_request'], route.operationId)
      }
  })

  it('with a session is refused without one', async () => {
    for (const route of OPEN.filter(({ needsSession }) => needsSession)) {
      const answer = await send(route, SAME_ORIGIN)
      assert.deepEqual([answer.status, codeOf(answer)], [401, 'unauthenticated'], route.operationId)
    }
  })

  it('refuses a query that it does not know, a longer body than it takes, and a body that is no JSON', async () => {
    for (const route of OPEN.filter(({ needsSession }) => !needsSession)) {
      const { body, operationId } = route
      if (body === undefined) {
        const asked = await send({ ...route, path: `${route.path}?unknown=1` }, SAME_ORIGIN)
        assert.deepEqual([asked.status, codeOf(asked)], [400, 'invalid_query'], operationId)
        continue
      }
      const json = { ...SAME_ORIGIN, 'Content-Type': 'application/json' }
      const long = await send(route, json).send(JSON.stringify({ token: 'x'.repeat(body.maxBytes ?? 0) }))
      assert.deepEqual([long.status, codeOf(long)], [413, 'payload_too_large'], operationId)
      const broken = await send(route, json).send('{')
      assert.deepEqual([broken.status, codeOf(broken)], [400, 'invalid_json'], operationId)
      const other = await send(route, { ...SAME_ORIGIN, 'Content-Type': 'text/plain' }).send('x')
      assert.deepEqual([other.status, codeOf(other)], [415, 'unsupported_media_type'], operationId)
      const unknown = await send(route, json).send({ unknown: true })
      assert.deepEqual([unknown.status, codeOf(unknown)], [400, 'invalid_body'], operationId)
    }
  })

  it('that signs in is refused to an address that failed too often, whatever the way', async () => {
    const own = await startOwnService()
    try {
      const rate = own.server.service.services.admission.rate('failed-sign-ins')
      for (let failed = 0; failed < 60; failed += 1) await rate.take('127.0.0.1')
      for (const { method, path, operationId } of OPEN.filter(({ limit }) => limit === 'failed-sign-ins')) {
        const answer = await supertest(own.origin)[method](path).set(SAME_ORIGIN)
        const expected = operationId === 'proveWithPasskey' ? 'unauthenticated' : 'too_many_requests'
        assert.equal(codeOf(answer), expected, operationId)
      }
    } finally {
      await own.stop()
    }
  })

  it('is reached by the typed client, which finds it beside the API', async () => {
    const urls: string[] = []
    const client = createClient({
      baseUrl: service.origin,
      fetch: async (sent) => {
        urls.push(sent.url)
        return await Promise.resolve(Response.json({ success: true, data: {} }))
      },
    })
    for (const { method, path } of OPEN)
      await (client as unknown as Record<string, (path: string) => Promise<unknown>>)[method.toUpperCase()]?.(path)
    assert.deepEqual(
      urls,
      OPEN.map(({ path }) => `${service.origin}${path}`),
    )
  })
})

describe('every endpoint of the tables', () => {
  let service: TestService
  before(async () => {
    service = await startOwnService()
  })
  after(() => service.stop())

  it('answers a method that its path lacks with 405, and names those that it has', async () => {
    const paths = [
      ...ROUTES.map(({ caller, path }) => (caller === 'key' ? `${API_PREFIX}${path}` : path)),
      ...OTHERS.flatMap(({ paths: ofOther }) => ofOther),
    ].map((path) => path.replaceAll(/\{\w+\}/g, 'one'))
    for (const path of new Set(paths)) {
      const { status, allow = '' } = await ask('TRACE', path)
      assert.equal(status, 405, path)
      assert.ok(allow.split(', ').length > 0 && !allow.includes('TRACE'), `${path}: ${allow}`)
    }
  })

  it('has a path of its own: no two have the same path and method', () => {
    const all = [
      ...ROUTES.map(
        ({ caller, path, method }) => `${method.toUpperCase()} ${caller === 'key' ? API_PREFIX : ''}${path}`,
      ),
      ...OTHERS.flatMap(({ paths, methods }) => paths.flatMap((path) => methods.map((method) => `${method} ${path}`))),
    ]
    assert.equal(new Set(all).size, all.length)
  })

  function ask(method: string, path: string): Promise<{ status: number | undefined; allow: string | undefined }> {
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
