import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '@modelcontextprotocol/client'
import { createClient as createApiClient } from '../../../src/protocols/client/client.js'
import { apiOf, ApiFailure, sendRequest } from '../../../src/protocols/mcp/ask-api.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { connectHttp, connectStdio, fail, succeed } from './clients.js'

const PONG = { jsonrpc: '2.0', id: 1, result: {} }
const JSON_TYPE = { 'content-type': 'application/json' }
const LIMITS = { MAX_HTML_BYTES: '20000' }

describe('a tool reports what it cannot do, and the connection goes on:', () => {
  let service: TestService
  let client: Client
  before(async () => {
    service = await startOwnService({ env: LIMITS })
    client = await connectHttp(service.origin, service.key, 'modern')
  })
  after(async () => {
    await client.close()
    await service.stop()
  })

  it('an unknown tool is a protocol error that names the tools', async () => {
    await assert.rejects(client.callTool({ name: 'format_disk' }), {
      code: -32602,
      message: /format_disk.*create_page/,
    })
  })

  it('arguments that are unknown, missing or of another type are named together', async () => {
    const { code, message } = await fail(client, 'update_page', { html: 7, colour: 'red' })
    assert.equal(code, 'invalid_arguments')
    for (const word of ['id is missing', 'html must be a string', 'colour is not known'])
      assert.ok(message.includes(word))
  })

  it('a wish for a draft is refused with the way to look at a change first', async () => {
    for (const wish of [{ status: 'draft' }, { draft: true }, { published: false }]) {
      const { message } = await fail(client, 'create_page', { path: '/draft', html: '<p>', ...wish })
      assert.match(message, /this publishes at once\. changeRequest=new .*dryRun/)
      await service.visit('/draft').expect(404)
    }
    const body = { path: '/draft', html: '<p>', status: 'draft' }
    const { error } = (await service.api().post('/pages').send(body).expect(400)).body as { error: { message: string } }
    assert.match(error.message, /this publishes at once\. changeRequest=new .*dryRun/)
  })

  it('a missing entity tag is named with the tool that shows it', async () => {
    for (const [tool, given] of [
      ['edit_page', { id: '/index', edits: [{ find: 'a', replace: 'b' }] }],
      ['delete_page', { id: '/index' }],
    ] as const)
      assert.match((await fail(client, tool, given)).message, /ifMatch is missing: get_page shows it as etag/)
  })

  it('html over the limit is refused by the service, with the limit', async () => {
    const { code, text } = await fail(client, 'create_page', { path: '/long', html: 'x'.repeat(20_001) })
    assert.deepEqual([code, text.includes('20000')], ['payload_too_large', true])
  })

  it('a message over the limit of a body is 413, before it is parsed', async () => {
    const given = { path: '/longer', html: 'x'.repeat(150_000) }
    await assert.rejects(client.callTool({ name: 'create_page', arguments: given }), /413|payload_too_large/)
    await succeed(client, 'list_sites')
  })

  it('a key without the scope is told so by the API', async () => {
    const reader = await service.mint({ scopes: ['read'] })
    const readOnly = await connectHttp(service.origin, reader.key, 'legacy')
    const { code, next } = await fail(readOnly, 'create_page', { path: '/mine', html: '<p>' })
    assert.deepEqual([code, next.includes('"write"')], ['insufficient_scope', true])
    await readOnly.close()
  })

  it('a stale update_page is merged if it says so, or answers both texts and the next step', async () => {
    const earlier = '<p>one</p>\n<p>two</p>\n<p>three</p>\n'
    const api = service.api()
    const { body, headers } = await api.post('/pages').send({ path: '/merged', html: earlier }).expect(201)
    const { id } = body.data as { id: string }
    await api
      .put(`/pages/${id}/content`)
      .send({ html: earlier.replace('one', 'new one') })
      .expect(200)
    const given = { id, ifMatch: headers['etag'], onConflict: 'merge' }
    const { code, text, next } = await fail(client, 'update_page', { ...given, html: earlier.replace('one', 'my one') })
    assert.deepEqual([code, next.includes('details.etag')], ['merge_conflict', true])
    for (const word of ['new one', 'my one']) assert.ok(text.includes(word), text)
    await succeed(client, 'update_page', { ...given, html: earlier.replace('three', 'my three') })
    const { body: now } = await api.get(`/pages/${id}`).expect(200)
    assert.equal((now.data as { html: string }).html, earlier.replace('one', 'new one').replace('three', 'my three'))
  })

  it('a taken path gives the id of its page, and the tools to use', async () => {
    const made = await succeed<{ id: string }>(client, 'create_page', { path: '/taken', html: '<p>' })
    const { code, text } = await fail(client, 'create_page', { path: '/taken', html: '<p>' })
    assert.equal(code, 'page_exists')
    assert.ok(text.includes(made.id) && text.includes('update_page'))
  })

  it('a key that is revoked in mid-session is refused with the next message', async () => {
    const { key, id } = await service.mint()
    const [overHttp, overStdio] = await Promise.all([
      connectHttp(service.origin, key, 'modern'),
      connectStdio({ BASE_URL: service.origin, SERVICE_API_TOKEN: key }, 'modern'),
    ])
    await succeed(overStdio, 'list_sites')
    await service.server.service.services.catalog.keys.revoke(service.workspaceId, id)
    await assert.rejects(overHttp.callTool({ name: 'list_sites' }), /401|[Uu]nauthorized|unauthenticated/)
    assert.equal((await fail(overStdio, 'list_sites')).code, 'unauthenticated')
    await Promise.all([overHttp.close(), overStdio.close()])
  })

  it('a service that does not answer in time is reported as slow, whether it is silent or sends slowly', async () => {
    for (const begin of [
      () => undefined,
      (response: ServerResponse) => response.writeHead(200, JSON_TYPE).write('{'),
    ]) {
      const server = createServer((_request, response) => void begin(response)).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const slow = createApiClient({ baseUrl, key: service.key })
      const asked = { method: 'get', path: '/sites', params: { header: {}, path: {}, query: {} } } as const
      await assert.rejects(sendRequest(apiOf(slow), asked, new AbortController().signal, 200), (error: unknown) => {
        assert.ok(error instanceof ApiFailure)
        assert.equal(error.failure.code, 'service_slow')
        return true
      })
      server.closeAllConnections()
      server.close()
    }
  })

  it('another program at the address is reported as such', async () => {
    const server = createServer((_request, response) => void response.end('<h1>Hello</h1>')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const mistaken = await connectStdio({ PALIMPSEST_URL: address, PALIMPSEST_TOKEN: service.key }, 'modern')
    const { code, next } = await fail(mistaken, 'list_sites')
    assert.deepEqual([code, next], ['not_the_service', 'Check PALIMPSEST_URL.'])
    await mistaken.close()
    server.close()
  })

  it('an unreachable service is reported', async () => {
    const lonely = await connectStdio({ BASE_URL: 'http://127.0.0.1:9', SERVICE_API_TOKEN: service.key }, 'legacy')
    const { code, next } = await fail(lonely, 'list_sites')
    assert.deepEqual([code, next.includes('runs')], ['service_unreachable', true])
    await lonely.close()
  })

  it('a client without a key, with a wrong one, from another origin or at another host is refused', async () => {
    const bearer = { authorization: `Bearer ${service.key}` }
    assert.equal(await post({}), 401)
    assert.equal(await post({ authorization: 'Bearer nothing' }), 401)
    assert.equal(await post({ ...bearer, origin: 'https://evil.example' }), 403)
    assert.equal(await post({ ...bearer, origin: 'null' }), 403)
    assert.equal(await post({ ...bearer, host: 'evil.example' }), 404)
    assert.equal(await post({ ...bearer, 'content-type': 'text/html' }), 415)
    assert.equal(await post(bearer), 200)
  })

  it('a request is answered whatever its Accept field, with a stream only if it names one, and with a slash too', async () => {
    const [json, stream] = ['application/json', 'text/event-stream']
    const fields: [accept: string | undefined, type: string][] = [
      [undefined, json],
      ['', json],
      ['*/*', json],
      ['text/html, */*;q=0.1', json],
      [json, json],
      ['APPLICATION/JSON; charset=utf-8', json],
      [`${json}, ${stream};q=0`, json],
      [`${json}, Text/Event-Stream`, stream],
      [stream, stream],
    ]
    for (const [accept, type] of fields) {
      for (const path of ['/mcp', '/mcp/']) {
        const answer = await ping(path, '{"jsonrpc":"2.0","id":1,"method":"ping"}', accept)
        assert.deepEqual([answer.status, answer.type], [200, type], `${path} ${accept}`)
        assert.deepEqual(JSON.parse(answer.text.replace(/^event: message\ndata: /, '')), PONG, accept)
      }
    }
    const many = await ping('/mcp', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', '*/*')
    assert.deepEqual(JSON.parse(many.text), [PONG])
    for (const path of ['/mcp', '/mcp/']) {
      const bare = await fetch(service.origin + path, { method: 'POST' })
      assert.equal(bare.status, 401)
      const got = await fetch(service.origin + path, { headers: { authorization: `Bearer ${service.key}` } })
      assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST'])
    }
  })

  /** Sends a message with this Accept field, or without one. */
  function ping(path: string, message: string, accept: string | undefined) {
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
    return new Promise<{ status: number | undefined; type: string | undefined; text: string }>((resolve, reject) => {
      const fields = { ...headers, ...(accept !== undefined && { accept }) }
      request(service.origin + path, { method: 'POST', headers: fields }, (answer) => {
        let text = ''
        const type = answer.headers['content-type']?.replace(/;.*/, '')
        answer.setEncoding('utf8').on('data', (part: string) => (text += part))
        answer.once('end', () => resolve({ status: answer.statusCode, type, text }))
      })
        .once('error', reject)
        .end(message)
    })
  }

  /** Returns the status of a ping with these fields in addition to the protocol's own. */
  function post(headers: Record<string, string>): Promise<number | undefined> {
    const accept = 'application/json, text/event-stream'
    return new Promise((resolve, reject) => {
      const fields = { 'content-type': 'application/json', accept, ...headers }
      request(`${service.origin}/mcp`, { method: 'POST', headers: fields }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode))
      })
        .once('error', reject)
        .end('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    })
  }
})
