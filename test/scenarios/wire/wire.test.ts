import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { startTestService, type TestService } from '../../support/service.js'
import { put, sendRaw } from '../client.js'

const HOST = 'Host: wire.localhost\r\n'
const CLOSE = 'Connection: close\r\n'
const PAGE = '<h1>A page of the site</h1>'

/** Requests in bytes, and the status of a site's answer; ambiguous requests are in ./smuggling.test.ts. */
const REQUESTS: [source: string, what: string, request: string, status: number][] = [
  ['RFC 9112 §3', 'a plain GET', `GET / HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 200],
  ['RFC 9112 §2.2', 'an empty line before the request', `\r\nGET / HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 200],
  ['RFC 9112 §2.3', 'HTTP/1.0 with a Host', `GET / HTTP/1.0\r\n${HOST}\r\n`, 200],
  ['RFC 9110 §5.1', 'a name in any case', `GET / HTTP/1.1\r\nhOsT: wire.localhost\r\n${CLOSE}\r\n`, 200],
  ['RFC 9112 §5', 'no space before a value', `GET / HTTP/1.1\r\nHost:wire.localhost\r\n${CLOSE}\r\n`, 200],
  ['RFC 9112 §5', 'tabs and spaces around a value', `GET / HTTP/1.1\r\nHost:\t wire.localhost \t\r\n${CLOSE}\r\n`, 200],
  ['RFC 9110 §5.5', 'a field without a value', `GET / HTTP/1.1\r\n${HOST}Empty:\r\nBlank: \r\n${CLOSE}\r\n`, 200],
  ['RFC 9110 §5.5', 'a value beyond ASCII', `GET / HTTP/1.1\r\n${HOST}Name: caf\u00e9\r\n${CLOSE}\r\n`, 200],
  ['RFC 9110 §8.6', 'a GET with content', `GET / HTTP/1.1\r\n${HOST}Content-Length: 5\r\n${CLOSE}\r\nhello`, 200],
  ['RFC 9110 §10.1.1', 'an unknown expectation', `GET / HTTP/1.1\r\n${HOST}Expect: more\r\n${CLOSE}\r\n`, 417],
  ['RFC 9110 §15.5.6', 'a POST with content', `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`, 405],
  [
    'RFC 9110 §15.5.6',
    'a POST in chunks',
    `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    405,
  ],
  ['RFC 9110 §9.1', 'a method that nobody knows', `BREW / HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 400],
  ['RFC 9112 §3', 'no version', `GET / \r\n${HOST}\r\n`, 400],
  ['RFC 9112 §2.3', 'a version to come', `GET / HTTP/9.9\r\n${HOST}\r\n`, 400],
  ['RFC 9112 §3', 'words before the method', `Well then GET / HTTP/1.1\r\n${HOST}\r\n`, 400],
  ['RFC 9112 §3.2', 'no Host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['RFC 9112 §3.2', 'two Hosts', `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`, 400],
  ['RFC 9110 §5.1', 'a name with brackets', `GET / HTTP/1.1\r\n${HOST}X[]: y\r\n\r\n`, 400],
  ['RFC 9112 §5', 'a field without a colon', `GET / HTTP/1.1\r\n${HOST}X\r\n\r\n`, 400],
  ['RFC 9110 §5.5', 'a value with a bell', `GET / HTTP/1.1\r\n${HOST}X: a\x07\r\n\r\n`, 400],
  ['RFC 9110 §5.5', 'a value with a null', `GET / HTTP/1.1\r\n${HOST}X: a\0\r\n\r\n`, 400],
  ['RFC 9112 §2.2', 'a carriage return alone', `GET / HTTP/1.1\r\n${HOST}\rX: y\r\n\r\n`, 400],
  ['RFC 9112 §6.3', 'a length that is none', `GET / HTTP/1.1\r\n${HOST}Content-Length: abc\r\n\r\n`, 400],
  ['RFC 9112 §6.3', 'a length below zero', `GET / HTTP/1.1\r\n${HOST}Content-Length: -1234\r\n\r\n`, 400],
  ['RFC 6585 §5', 'fields without end', `GET / HTTP/1.1\r\n${HOST}X: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
]

describe('a request on the wire', () => {
  let service: TestService
  const send = (request: string) => sendRaw(service.server.port, request)

  before(async () => {
    service = await startTestService('wire')
    await put(service.api(), '/', PAGE)
  })
  after(() => service.stop())

  for (const [source, what, request, status] of REQUESTS) {
    it(`is answered ${status} by a site if it has ${what} (${source})`, async () => {
      const answer = await send(request)
      assert.equal(answer.status, status, answer.text.slice(0, 200))
      assert.equal(answer.text.match(/^HTTP\/1\.1 /gm)?.length, 1, 'one answer, and the connection ends')
      if (status === 200) assert.ok(answer.text.endsWith(PAGE))
    })
  }

  it('is told what is wrong with it if it is refused unread', async () => {
    const refusals: [request: string, words: RegExp][] = [
      [`GET /ö HTTP/1.1\r\n${HOST}\r\n`, /characters that must be percent-encoded: write ö as %C3%B6\.\n$/],
      [`GET / HTTP/1.1\r\n${HOST}X: ${'x'.repeat(70_000)}\r\n\r\n`, /more than 65536 bytes: send fewer\.\n$/],
      [`GET / HTTP/9.9\r\n${HOST}\r\n`, /not well-formed HTTP\/1\.1: send it again in that form\.\n$/],
    ]
    for (const [request, words] of refusals) assert.match((await send(request)).text, words)
  })

  it('asks for health without a Host in HTTP/1.0 (RFC 9112 §3.2)', async () => {
    for (const path of ['/readyz', '/healthz']) assert.equal((await send(`GET ${path} HTTP/1.0\r\n\r\n`)).status, 200)
  })

  it('gets its final answer when it expects 100 (RFC 9110 §10.1.1)', async () => {
    const { text } = await send(`GET / HTTP/1.1\r\n${HOST}Expect: 100-continue\r\n${CLOSE}\r\n`)
    assert.match(text, /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 200 OK\r\n/)
    assert.ok(text.endsWith(PAGE))
  })

  it('may follow another on its connection, and a HEAD leaves no body in between (RFC 9112 §6.3, §9.3)', async () => {
    const { text } = await send(`HEAD / HTTP/1.1\r\n${HOST}\r\nGET / HTTP/1.1\r\n${HOST}${CLOSE}\r\n`)
    const [head = '', get = '', body, ...more] = text.split('\r\n\r\n')
    assert.match(head, new RegExp(`^HTTP/1.1 200 OK\r\n[^]*content-length: ${PAGE.length}`, 'i'))
    assert.match(get, /^HTTP\/1\.1 200 OK\r\n/)
    assert.deepEqual([body, more], [PAGE, []])
  })

  it('is answered the same if it arrives in two pieces, cut at any byte, and not before it is complete', async () => {
    const request = `GET / HTTP/1.1\r\n${HOST}${CLOSE}\r\n`
    const cuts = Array.from({ length: request.length - 1 }, (_, at) => at + 1)
    const answers = await Promise.all(cuts.map((cut) => sendInTwo(service.server.port, request, cut)))
    for (const [at, { early, whole }] of answers.entries()) {
      assert.equal(early, '', `cut at ${cuts[at]}`)
      assert.ok(whole.startsWith('HTTP/1.1 200 OK\r\n') && whole.endsWith(PAGE), `cut at ${cuts[at]}: ${whole}`)
    }
  })

  it('may send the same body by length and in chunks, with extensions and trailers (RFC 9112 §6.2, §7.1)', async () => {
    const html = '<p>a body of two pieces'
    const framings: [path: string, fields: string, body: string][] = [
      ['/by-length', `Content-Length: ${html.length}`, html],
      ['/in-chunks', 'Transfer-Encoding: chunked', `3;of=two\r\n<p>\r\n14\r\n${html.slice(3)}\r\n0\r\nX: y\r\n\r\n`],
    ]
    for (const [path, fields, body] of framings) {
      const head = `PUT /api/v1/pages?path=${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.key}\r\n`
      const { status, text } = await send(`${head}Content-Type: text/html\r\n${CLOSE}${fields}\r\n\r\n${body}`)
      assert.equal(status, 201, text)
      assert.equal((await service.visit(path)).text, html)
    }
  })
})

/** The answer while the rest of the request is missing, and the answer at the end. */
async function sendInTwo(port: number, request: string, cut: number): Promise<{ early: string; whole: string }> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
  let whole = ''
  socket.on('data', (chunk: string) => (whole += chunk))
  const ended = new Promise((resolve, reject) => socket.once('close', resolve).once('error', reject))
  socket.write(request.slice(0, cut))
  // Waits until another request is answered.
  await sendRaw(port, `GET / HTTP/1.1\r\n${HOST}${CLOSE}\r\n`)
  const early = whole
  socket.write(request.slice(cut))
  await ended
  return { early, whole }
}
