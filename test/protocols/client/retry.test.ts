import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ApiClient, createClient, dataOf, Refusal } from '../../../src/protocols/client/client.js'

const PUT_OFF = { status: 503, code: 'queue_full' }
const UNKNOWN = { status: 503, code: 'outcome_unknown' }
const LIMITED = { status: 429, code: 'too_many_requests' }
const IN_PROGRESS = { status: 409, code: 'idempotency_in_progress' }
/** The answer of a proxy that waited for the service in vain. */
const CUT_OFF = { status: 504, code: '' }
const BROKEN = { status: 0, code: '' }
/** It is done, and the client has given up before it is answered. */
const LATE = { status: 200, code: 'late' }
const DONE = { status: 200, code: '' }

describe('a retry by the client', () => {
  let server: Server
  let client: ApiClient
  let script: { status: number; code: string }[]
  let retryAfter: string
  let seen: IncomingMessage[]
  let onAnswer: () => void

  before(async () => {
    server = createServer(answer).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
  })
  after(() => server.close())
  beforeEach(() => {
    retryAfter = '0'
    seen = []
    onAnswer = () => undefined
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    client = createClient({
      baseUrl,
      key: 'any',
      fetch: async (request) => {
        const response = await fetch(request)
        setImmediate(onAnswer)
        if (response.headers.has('X-Late')) throw new DOMException('no answer in time', 'TimeoutError')
        return response
      },
    })
  })

  /** Answers by the script; repeats its last answer. */
  function answer(request: IncomingMessage, response: ServerResponse): void {
    seen.push(request)
    const { status, code } = (script.length > 1 ? script.shift() : script[0]) ?? DONE
    if (status === 0) return void request.socket.destroy()
    if (code === 'late') response.setHeader('X-Late', 'yes')
    const body = status === 200 ? { success: true, data: {} } : { error: { code, message: code, requestId: 'x' } }
    const type = status === 504 ? 'text/html' : 'application/json'
    response.writeHead(status, { 'Content-Type': type, 'Retry-After': retryAfter })
    request.resume().once('end', () => response.end(status === 504 ? '<h1>504</h1>' : JSON.stringify(body)))
  }

  const publish = () => client.POST('/pages', { body: { path: '/a', html: 'a' } })
  const replace = (header: { 'If-Match'?: string } = {}) =>
    client.PUT('/pages', { params: { query: { path: '/a' }, header }, body: { html: 'a' } })

  it('comes after the requested time, with one idempotency key for all tries of a POST', async () => {
    script = [PUT_OFF, LIMITED, DONE]
    dataOf(await publish())
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    assert.equal(keys.length, 3)
    assert.match(String(keys[0]), /^[0-9a-f]{32}$/)
    assert.equal(new Set(keys).size, 1)
    await publish()
    assert.notEqual(seen.at(-1)?.headers['idempotency-key'], keys[0])
  })

  it('keeps the idempotency key of the caller, and adds none to a dry run', async () => {
    script = [DONE]
    const header = { 'Idempotency-Key': 'mine' }
    await client.POST('/pages', { params: { header }, body: { path: '/a', html: 'a' } })
    await client.POST('/pages', { params: { query: { dryRun: true } }, body: { path: '/a', html: 'a' } })
    assert.deepEqual(
      seen.map(({ headers }) => headers['idempotency-key']),
      ['mine', undefined],
    )
  })

  it('makes no second change request of a PUT that was not answered', async () => {
    script = [DONE]
    await publish()
    script = [CUT_OFF, DONE]
    const query = { path: '/a', changeRequest: 'new' }
    assert.equal((await client.PUT('/pages', { params: { query }, body: { html: 'a' } })).response.status, 504)
    assert.equal(seen.length, 2)
  })

  it('is made a limited number of times, and then the refusal is returned', async () => {
    script = [PUT_OFF]
    assert.equal((await publish()).error?.error.code, 'queue_full')
    assert.equal(seen.length, 5)
  })

  it('is not made if the service asks for a long wait, nor for another refusal', async () => {
    retryAfter = '61'
    script = [PUT_OFF]
    await publish()
    script = [{ status: 409, code: 'page_exists' }]
    await publish()
    assert.equal(seen.length, 2)
  })

  it('is made after a broken connection if nothing can happen twice', async () => {
    script = [DONE, BROKEN, DONE]
    await replace()
    assert.equal((await replace()).response.status, 200)
    script = [BROKEN]
    await assert.rejects(async () => await replace({ 'If-Match': '"1"' }), TypeError)
    assert.equal(seen.length, 4)
  })

  it('is made more often while the first request with its key is in progress', async () => {
    script = [...Array.from({ length: 9 }, () => IN_PROGRESS), DONE]
    dataOf(await publish())
    assert.equal(seen.length, 10)
    script = [BROKEN, IN_PROGRESS, DONE]
    dataOf(await publish())
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    assert.deepEqual([keys.length, new Set(keys.slice(0, 10)).size, new Set(keys.slice(10)).size], [13, 1, 1])
  })

  it('ends after 120 waits for a request that stays in progress', async () => {
    script = [IN_PROGRESS]
    assert.equal((await publish()).error?.error.code, 'idempotency_in_progress')
    assert.equal(seen.length, 125)
  })

  it('is made after a late answer to a write if nothing can happen twice', async () => {
    script = [DONE, LATE, IN_PROGRESS, DONE]
    await client.GET('/me')
    dataOf(await publish())
    assert.equal(new Set(seen.slice(1).map(({ headers }) => headers['idempotency-key'])).size, 1)
    script = [LATE]
    const late = { name: 'TimeoutError' }
    await assert.rejects(async () => await replace({ 'If-Match': '"1"' }), late)
    await assert.rejects(async () => await client.GET('/me'), late)
    const params = { query: { dryRun: true } }
    await assert.rejects(async () => await client.POST('/pages', { params, body: { path: '/a', html: 'a' } }), late)
    assert.equal(seen.length, 4 + 3)
  })

  it('is made after a proxy got no answer if nothing can happen twice', async () => {
    script = [CUT_OFF]
    const { error, response } = await publish()
    assert.deepEqual([response.status, seen.length, new Refusal(response, error).code], [504, 1, 'not_the_service'])
    assert.match(new Refusal(response, error).message, /^The service behind \S+ did not answer \(status 504\)\./)
    script = [DONE, CUT_OFF, DONE]
    await client.GET('/me')
    dataOf(await publish())
    script = [CUT_OFF]
    assert.equal((await replace({ 'If-Match': '"1"' })).response.status, 504)
    assert.equal(seen.length, 1 + 3 + 1)
  })

  it('is not made for a write with a condition whose outcome is unknown', async () => {
    script = [UNKNOWN]
    assert.equal((await replace({ 'If-Match': '"1"' })).error?.error.code, 'outcome_unknown')
    assert.equal(seen.length, 1)
    await replace()
    assert.equal(seen.length, 6)
  })

  it('is not made if no service has answered before', async () => {
    script = [BROKEN]
    await assert.rejects(async () => await client.GET('/me'), TypeError)
    assert.equal(seen.length, 1)
  })

  it('ends when the caller gives up', async () => {
    retryAfter = '30'
    script = [PUT_OFF]
    const giveUp = new AbortController()
    onAnswer = () => giveUp.abort(new DOMException('the caller gave up', 'TimeoutError'))
    const asked = client.GET('/me', { signal: giveUp.signal })
    await assert.rejects(async () => await asked, { message: 'the caller gave up' })
    assert.equal(seen.length, 1)
  })
})
