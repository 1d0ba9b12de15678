import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendRaw } from '../scenarios/client.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../scenarios/serve-process.js'
import { git } from '../support/git.js'
import { type Answer, answerTo, visitAnew } from './fresh-connection.js'

const TIMES = 12
const MAX_HTML_BYTES = 4 * 1024 * 1024

describe('the API, through whichever of two workers,', () => {
  let dataDir: string
  let server: ServeProcess
  let key: string

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-workers-'))
    // All of the large pages may wait at once, however slow the disk is.
    const env = {
      WORKERS: '2',
      MAX_HTML_BYTES: String(MAX_HTML_BYTES),
      QUEUE_BYTES: String(4 * TIMES * MAX_HTML_BYTES),
    }
    server = await serve({ dataDir, env })
    key = await makeKey(dataDir)
  })
  after(async () => {
    await endProcesses()
    rmSync(dataDir, { recursive: true, force: true })
  })

  function ask(method: string, path: string, headers: Record<string, string | number> = {}): ClientRequest {
    return request(`${server.origin}${path}`, {
      method,
      agent: false,
      headers: { Authorization: `Bearer ${key}`, ...headers },
    })
  }

  /** The same on many connections at once, so that each process gets some. */
  function everywhere<T>(work: (number: number) => Promise<T>): Promise<T[]> {
    return Promise.all(Array.from({ length: TIMES }, (_, number) => work(number)))
  }

  function publish(path: string, body: Buffer | string, headers = {}): Promise<Answer> {
    const sent = ask('PUT', `/api/v1/pages?path=${path}`, { 'Content-Type': 'text/html', ...headers })
    sent.end(body)
    return answerTo(sent)
  }

  it('accepts and returns large pages, with and without a Content-Length', async () => {
    const html = Buffer.alloc(MAX_HTML_BYTES, 'x')
    const framings = [{ 'Content-Length': html.length }, { 'Transfer-Encoding': 'chunked' }]
    for (let i = 0; i < TIMES; i++) {
      // One after the other: many large bodies at once are put off on a busy machine.
      assert.equal((await publish(`/large/${i}`, html, framings[i % 2])).status, 201)
      assert.equal((await visitAnew(server.port, 'demo', `/large/${i}`)).body.length, html.length)
    }
  })

  it("answers a request to git's door that it refuses before it has read the body", async () => {
    for (let n = 0; n < 100; n++) {
      const sent = ask('POST', '/git/no-such-site.git/git-receive-pack', { 'Content-Length': 4 })
      sent.end('0000')
      const { status, body } = await answerTo(sent)
      assert.equal(status, 404)
      assert.match(body, /no such repository/)
    }
  })

  it('answers with the same status, fields and body as a single process', async () => {
    const answers = await everywhere(async () => {
      const sent = ask('GET', '/api/v1/pages?nonsense=1', { 'X-Request-Id': 'mine' }).end()
      const [response] = await once(sent, 'response')
      response.resume()
      return [response.statusCode, response.headers['x-request-id'], response.headers['cache-control']]
    })
    for (const answer of answers) assert.deepEqual(answer, [400, 'mine', 'private, no-cache'])
    for (const { status, body } of await everywhere(() => answerTo(ask('HEAD', '/api/v1/me').end()))) {
      assert.deepEqual([status, body], [200, ''])
    }
    for (const { status } of await everywhere(() => answerTo(ask('DELETE', '/api/v1/me').end()))) {
      assert.equal(status, 405)
    }
  })

  it('refuses a body that is too large before it is sent, also one without a length', async () => {
    const size = 3 * MAX_HTML_BYTES
    const claimed = await everywhere((number) => {
      const sent = ask('PUT', `/api/v1/pages?path=/claimed/${number}`, { 'Content-Length': size })
      sent.on('error', () => undefined).flushHeaders()
      return answerTo(sent)
    })
    for (const { status } of claimed) assert.equal(status, 413)
    const endless = await everywhere(async (number) => {
      const sent = ask('PUT', `/api/v1/pages?path=/endless/${number}`, { 'Transfer-Encoding': 'chunked' })
      // More than is taken, and it never ends.
      sent.write(Buffer.alloc(MAX_HTML_BYTES + 256 * 1024, 'x'))
      const { status } = await answerTo(sent)
      sent.destroy()
      return status
    })
    for (const status of endless) assert.equal(status, 413)
  })

  it('lets a client go on with other connections after bodies that were refused before their end', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const send = (bytes: number) => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'text/html' }
      const sent = request(`${server.origin}/api/v1/pages?path=/refused`, { method: 'PUT', agent, headers })
      // What of a refused body is still on its way may find the connection closed, after the answer.
      sent.on('error', () => undefined)
      sent.end(Buffer.alloc(bytes, 'x'))
      return answerTo(sent)
    }
    const statuses = []
    for (let round = 0; round < 2; round++) {
      statuses.push((await send(MAX_HTML_BYTES + 1024 * 1024)).status)
      statuses.push((await send(10)).status)
    }
    agent.destroy()
    assert.deepEqual(statuses, [413, 201, 413, 200])
  })

  it('drops an upload whose client disconnects, and answers the next request', async () => {
    await everywhere(async (number) => {
      const sent = ask('PUT', `/api/v1/pages?path=/left/${number}`, { 'Content-Length': 1000, Expect: '100-continue' })
      sent.on('error', () => undefined).flushHeaders()
      await once(sent, 'continue')
      sent.write('half')
      sent.destroy()
    })
    for (const { status } of await everywhere((number) => publish(`/stayed/${number}`, 'whole'))) {
      assert.equal(status, 201)
    }
    assert.equal(git(join(dataDir, 'demo.git'), 'ls-tree', '-r', '--name-only', 'main', 'left/'), '')
  })

  it('serves several requests on one connection', async () => {
    const one = `GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const last = one.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
    for (const { text } of await everywhere(() => sendRaw(server.port, one + one + last))) {
      assert.equal(text.match(/HTTP\/1\.1 200 OK/g)?.length, 3)
    }
  })

  it('refuses a request without exactly one valid Host field', async () => {
    const two = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: other\r\nConnection: close\r\n\r\n'
    for (const { status } of await everywhere(() => sendRaw(server.port, two))) assert.equal(status, 400)
  })

  it('survives a field that Node reads and cannot write', async () => {
    const odd =
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Odd: \x7f\x80\xff a\r\n\tb\r\nConnection: close, host\r\n\r\n'
    for (const { status } of await everywhere(() => sendRaw(server.port, odd)))
      assert.ok(status === 200 || status === 400)
    assert.equal(server.logged(), '')
  })

  it('logs the address of the client, whatever fields the client sends', async () => {
    const answers = await everywhere(async () => {
      const headers = { Host: 'localhost', 'X-Palimpsest-Client-Address': '192.0.2.1' }
      return JSON.parse((await answerTo(ask('GET', '/healthz?verbose=1', headers).end())).body) as object
    })
    // Troubles of all sites are shown without a key to who is on this machine.
    for (const answer of answers) assert.deepEqual(Object.keys(answer), ['status', 'troubles', 'bounds'])
  })
})
