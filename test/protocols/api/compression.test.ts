import assert from 'node:assert/strict'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { makeSignInToken } from '../../../src/usecases/sign-in/sign-in-link.js'
import { startTestService, type TestService } from '../../support/service.js'

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync } as const

interface Answer {
  status: number | undefined
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

describe('compression at the base host', () => {
  let service: TestService
  let bearer: Record<string, string>
  let id: string
  before(async () => {
    service = await startTestService()
    bearer = { authorization: `Bearer ${service.key}` }
    const html = '<p>a paragraph of text</p>\n'.repeat(500)
    const made = await service.api().post('/pages').send({ path: '/long', html }).expect(201)
    id = (made.body.data as { id: string }).id
  })
  after(() => service.stop())

  for (const coding of ['br', 'gzip'] as const) {
    it(`sends documents and long answers in ${coding} if the client accepts it`, async () => {
      for (const path of ['/openapi.json', '/docs', '/docs/reference.css', `/api/v1/pages/${id}`]) {
        const plain = await ask('GET', path, bearer)
        const packed = await ask('GET', path, { ...bearer, 'accept-encoding': coding })
        assert.equal(plain.headers['content-encoding'], undefined)
        assert.equal(packed.headers['content-encoding'], coding, path)
        assert.deepEqual(DECODERS[coding](packed.body), plain.body)
        assert.ok(packed.body.length * 2 < plain.body.length, `${path}: ${packed.body.length}`)
        for (const { headers } of [plain, packed]) assert.match(String(headers['vary']), /Accept-Encoding/)
        assert.equal(packed.headers['content-type'], plain.headers['content-type'])
      }
    })

    it(`has an entity tag of its own in ${coding}, which conditions of reads and writes accept`, async () => {
      const path = `/api/v1/pages/${id}`
      const packed = await ask('GET', path, { ...bearer, 'accept-encoding': coding })
      const plain = await ask('GET', path, bearer)
      const tag = String(packed.headers['etag'])
      assert.equal(tag, `${String(plain.headers['etag']).slice(0, -1)}-${coding}"`)
      const again = await ask('GET', path, { ...bearer, 'accept-encoding': coding, 'if-none-match': tag })
      assert.deepEqual([again.status, again.headers['etag'], again.body.length], [304, tag, 0])
      assert.equal(again.headers['vary'], packed.headers['vary'])
      const html = '<p>another paragraph</p>\n'.repeat(500) + coding
      await service.api().put(`/pages/${id}/content`).set('If-Match', tag).send({ html }).expect(200)
      await service.api().put(`/pages/${id}/content`).set('If-Match', tag).send({ html: 'x' }).expect(412)
    })
  }

  it('answers HEAD as GET, without the body', async () => {
    const fields = { ...bearer, 'accept-encoding': 'br' }
    const [head, get] = await Promise.all([ask('HEAD', '/docs', fields), ask('GET', '/docs', fields)])
    assert.deepEqual([head.body.length, head.headers['content-length']], [0, get.headers['content-length']])
  })

  it('does not change short answers, refusals and the answers to other methods', async () => {
    const fields = { ...bearer, 'accept-encoding': 'br, gzip' }
    for (const [method, path] of [
      ['GET', '/healthz'],
      ['GET', '/api/v1/me'],
      ['GET', `/api/v1/pages/${'x'.repeat(3000)}`],
      ['PUT', `/api/v1/pages/${id}/content?dryRun=true`],
    ] as const) {
      const { headers } = await ask(method, path, { ...fields, 'content-type': 'text/html' }, 'x'.repeat(5000))
      assert.equal(headers['content-encoding'], undefined, path)
    }
  })

  it('is done for a session only if the dashboard or the person asked for the answer', async () => {
    const { services } = service.server.service
    const token = await makeSignInToken(services, service.workspaceId, { label: 'ada' })
    const begun = await fetch(`${service.origin}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ token }),
    })
    const cookie = begun.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    for (const [site, coding] of [
      ['same-origin', 'br'],
      ['none', 'br'],
      [undefined, undefined],
    ] as const) {
      const fields = { cookie, 'accept-encoding': 'br', ...(site && { 'sec-fetch-site': site }) }
      const { status, headers } = await ask('GET', `/api/v1/pages/${id}`, fields)
      assert.deepEqual([site, status, headers['content-encoding']], [site, 200, coding])
    }
  })

  it('refuses a coded body and says which codings it takes: none', async () => {
    const fields = { ...bearer, 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const { status, headers, body } = await ask('POST', '/api/v1/pages', fields, '{}')
    assert.deepEqual([status, headers['accept-encoding']], [415, 'identity'])
    assert.match(body.toString(), /without Content-Encoding: gzip is not accepted/)
  })

  function ask(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(`${service.origin}${path}`, { method, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.once('end', () =>
          resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }),
        )
      })
      sent.once('error', reject).end(method === 'GET' || method === 'HEAD' ? undefined : body)
    })
  }
})
