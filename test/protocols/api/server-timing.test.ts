import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as ask } from 'node:http'
import { WAITS } from '../../../src/admission/waits.js'
import { startTestService, type TestService } from '../../support/service.js'

const REQUESTS = 200
const AT_ONCE = 20

/** The names in the field, and their milliseconds. */
function waitsIn(field = ''): Record<string, number> {
  const entries = field === '' ? [] : field.split(', ')
  return Object.fromEntries(
    entries.map((entry) => {
      const [, name = '', milliseconds] = /^(\w+);dur=(\d+\.\d)$/.exec(entry) ?? []
      assert.notEqual(name, '', entry)
      return [name, Number(milliseconds)]
    }),
  )
}

describe('the Server-Timing field of an answer', () => {
  let service: TestService

  before(async () => {
    service = await startTestService()
  })
  after(() => service.stop())

  it('says how long a publish waited for the disk', async () => {
    const { headers } = await service.api().put('/pages?path=/a').type('text/html').send('<p>a').expect(201)
    assert.ok((waitsIn(headers['server-timing'])['disk'] ?? 0) > 0, String(headers['server-timing']))
  })

  it('says how long the service waited for a body', async () => {
    const url = `${service.origin}/api/v1/pages?path=/slow`
    const headers = { 'content-type': 'text/html', authorization: `Bearer ${service.key}`, 'content-length': 2 }
    const sent = ask(url, { method: 'PUT', headers })
    const answered = once(sent, 'response')
    sent.write('a')
    // The rest comes once the service has answered something else meanwhile.
    await service.api().get('/me').expect(200)
    sent.end('b')
    const [answer] = await answered
    answer.resume()
    assert.equal(answer.statusCode, 201)
    assert.ok(
      (waitsIn(String(answer.headers['server-timing'] ?? ''))['body'] ?? 0) > 0,
      String(answer.headers['server-timing']),
    )
  })

  it('is there for a refusal too, and may be read by web pages of other origins', async () => {
    const origins = ['https://app.example']
    const { key } = await service.mint({ scopes: ['read', 'write'], origins })
    const { headers } = await service
      .api(key)
      .put('/pages?path=/../a')
      .set('Origin', 'https://app.example')
      .type('text/html')
      .send('<p>a')
      .expect(400)
    assert.match(String(headers['access-control-expose-headers']), /\bServer-Timing\b/)
    waitsIn(headers['server-timing'])
  })

  it('names only documented waits, in two hundred mixed requests', async () => {
    const api = service.api()
    const file = (at: number) => api.put(`/files?path=/f-${at}.txt`).type('text/plain').send(`${at}`)
    const kinds = [
      (at: number) => api.put(`/pages?path=/p-${at}`).type('text/html').send(`<h1>${at}</h1>`),
      (at: number) => api.post('/pages').send({ path: `/q-${at}`, html: `<p>${at}` }),
      () => api.get('/pages'),
      () => api.get('/search?q=p'),
      () => api.get('/sites'),
      () => api.get('/no-such-route'),
      (at: number) => api.post('/batch').send({ operations: [{ op: 'putPage', path: `/b-${at}`, html: 'b' }] }),
      file,
      () => api.get('/pages?dryRun=nonsense'),
      () => api.head('/me'),
    ]
    let next = 0
    const seen = new Set<string>()
    const client = async () => {
      for (let at = next++; at < REQUESTS; at = next++) {
        const { headers } = await kinds[at % kinds.length]!(at)
        for (const name of Object.keys(waitsIn(headers['server-timing']))) seen.add(name)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, client))
    const known = new Set<string>(WAITS)
    assert.deepEqual(
      [...seen].filter((name) => !known.has(name)),
      [],
    )
    for (const name of ['disk', 'queue', 'tasks']) assert.ok(seen.has(name), `${name} is not named`)
  })
})
