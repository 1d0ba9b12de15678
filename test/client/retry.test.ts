import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ApiClient, createClient, dataOf } from '../../src/client/client.js'

const PUT_OFF = { status: 503, code: 'queue_full' }
const UNKNOWN = { status: 503, code: 'outcome_unknown' }
const LIMITED = { status: 429, code: 'too_many_requests' }
const BROKEN = { status: 0, code: '' }
const DONE = { status: 200, code: '' }

describe('the client sends again what a service put off', () => {
  let server: Server
  let client: ApiClient
  let script: { status: number; code: string }[]
  let retryAfter: string
  let seen: IncomingMessage[]

  before(async () => {
    server = createServer(answer).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
  })
  after(() => server.close())
  beforeEach(() => {
    retryAfter = '0'
    seen = []
    client = createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'any' })
  })

  /** As the script says; its last answer again and again. */
  function answer(request: IncomingMessage, response: ServerResponse): void {
    seen.push(request)
    const { status, code } = (script.length > 1 ? script.shift() : script[0]) ?? DONE
    if (status === 0) return void request.socket.destroy()
    const body = status === 200 ? { success: true, data: {} } : { error: { code, message: code, requestId: 'x' } }
    response.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': retryAfter })
    request.resume().once('end', () => response.end(JSON.stringify(body)))
  }

  const publish = () => client.POST('/pages', { body: { path: '/a', html: 'a' } })
  const replace = (header: { 'If-Match'?: string } = {}) =>
    client.PUT('/pages', { params: { query: { path: '/a' }, header }, body: { html: 'a' } })

  it('after the time that it asks for, with one idempotency key for all tries of a POST', async () => {
    script = [PUT_OFF, LIMITED, DONE]
    dataOf(await publish())
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    assert.equal(keys.length, 3)
    assert.match(String(keys[0]), /^[0-9a-f]{32}$/)
    assert.equal(new Set(keys).size, 1)
    await publish()
    assert.notEqual(seen.at(-1)?.headers['idempotency-key'], keys[0])
  })

  it('keeps the idempotency key of the caller, and gives none to a dry run', async () => {
    script = [DONE]
    const header = { 'Idempotency-Key': 'mine' }
    await client.POST('/pages', { params: { header }, body: { path: '/a', html: 'a' } })
    await client.POST('/pages', { params: { query: { dryRun: true } }, body: { path: '/a', html: 'a' } })
    assert.deepEqual(
      seen.map(({ headers }) => headers['idempotency-key']),
      ['mine', undefined],
    )
  })

  it('until the retries are over, and then gives the refusal', async () => {
    script = [PUT_OFF]
    assert.equal((await publish()).error?.error.code, 'queue_full')
    assert.equal(seen.length, 5)
  })

  it('never where it asks for a long wait, nor for another refusal', async () => {
    retryAfter = '31'
    script = [PUT_OFF]
    await publish()
    script = [{ status: 409, code: 'page_exists' }]
    await publish()
    assert.equal(seen.length, 2)
  })

  it('once the connection broke, where nothing can happen twice', async () => {
    script = [DONE, BROKEN, DONE]
    await replace()
    assert.equal((await replace()).response.status, 200)
    script = [BROKEN]
    await assert.rejects(async () => await replace({ 'If-Match': '"1"' }), TypeError)
    assert.equal(seen.length, 4)
  })

  it('never a write with a condition whose outcome is unknown', async () => {
    script = [UNKNOWN]
    assert.equal((await replace({ 'If-Match': '"1"' })).error?.error.code, 'outcome_unknown')
    assert.equal(seen.length, 1)
    await replace()
    assert.equal(seen.length, 6)
  })

  it('never where no service has answered before', async () => {
    script = [BROKEN]
    await assert.rejects(async () => await client.GET('/me'), TypeError)
    assert.equal(seen.length, 1)
  })

  it('until the caller gives up', async () => {
    retryAfter = '30'
    script = [PUT_OFF]
    const asked = client.GET('/me', { signal: AbortSignal.timeout(50) })
    await assert.rejects(async () => await asked, { name: 'TimeoutError' })
    assert.equal(seen.length, 1)
  })
})
