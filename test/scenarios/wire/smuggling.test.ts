import assert from 'node:assert/strict'
import { startOwnService, type TestService } from '../../support/service.js'
import { put, sendRaw } from '../client.js'

const INNER = 'GET /inner HTTP/1.1\r\nHost: demo.localhost\r\n\r\n'
/** A body that is over after 5 bytes by one reading, and goes on with a request by another. */
const CHUNKED = `0\r\n\r\n${INNER}`

/** Framing on which a proxy in front and we could differ (RFC 9112 §6.3, §11.2): fields after Host, and the bytes after them. */
const AMBIGUOUS: Record<string, [fields: string, body: string]> = {
  'both lengths': ['Content-Length: 5\r\nTransfer-Encoding: chunked', CHUNKED],
  'both lengths, the other way round': ['Transfer-Encoding: chunked\r\nContent-Length: 5', CHUNKED],
  'two lengths': ['Content-Length: 5\r\nContent-Length: 60', CHUNKED],
  'two equal lengths': ['Content-Length: 5\r\nContent-Length: 5', CHUNKED],
  'a list of lengths': ['Content-Length: 5, 60', CHUNKED],
  'a length with a sign': ['Content-Length: +5', CHUNKED],
  'a negative length': ['Content-Length: -5', CHUNKED],
  'a length in hexadecimal': ['Content-Length: 0x5', CHUNKED],
  'a length with a space': ['Content-Length: 5 0', CHUNKED],
  'an empty length': ['Content-Length:', CHUNKED],
  'a length past 64 bits': ['Content-Length: 18446744073709551621', CHUNKED],
  'a coding that only ends in chunked': ['Transfer-Encoding: xchunked', CHUNKED],
  'a coding after chunked': ['Transfer-Encoding: chunked, identity', CHUNKED],
  'chunked twice': ['Transfer-Encoding: chunked, chunked', CHUNKED],
  'chunked in two fields': ['Transfer-Encoding: chunked\r\nTransfer-Encoding: x', CHUNKED],
  'a coding in quotes': ['Transfer-Encoding: "chunked"', CHUNKED],
  'a coding after a control character': ['Transfer-Encoding: \x0bchunked', CHUNKED],
  'a space before the colon': ['Transfer-Encoding : chunked', CHUNKED],
  'a tab before the colon': ['Transfer-Encoding\t: chunked', CHUNKED],
  'a space before the name': [' Transfer-Encoding: chunked', CHUNKED],
  'a name with a null': ['Transfer-Encoding\0: chunked', CHUNKED],
  'a name with a slash': ['Transfer/Encoding: chunked\r\nContent-Length: 5', CHUNKED],
  'a line that is folded': ['Transfer-Encoding:\r\n chunked', CHUNKED],
  'a bare line feed': ['X: y\nTransfer-Encoding: chunked', CHUNKED],
  'a bare carriage return': ['X: y\rTransfer-Encoding: chunked', CHUNKED],
  'a chunk with a size past 64 bits': ['Transfer-Encoding: chunked', `10000000000000005\r\nhello\r\n${CHUNKED}`],
  'a chunk with a sign': ['Transfer-Encoding: chunked', `+5\r\nhello\r\n${CHUNKED}`],
  'a chunk with 0x': ['Transfer-Encoding: chunked', `0x5\r\nhello\r\n${CHUNKED}`],
  'a chunk that is longer than it says': ['Transfer-Encoding: chunked', `5\r\nhello!!${CHUNKED}`],
  'a chunk that ends with a line feed': ['Transfer-Encoding: chunked', `5\r\nhello\n${CHUNKED}`],
  'a chunk size that ends with a line feed': ['Transfer-Encoding: chunked', `5\nhello\r\n${CHUNKED}`],
}

/** Start lines that HTTP/1.1 does not allow. */
const STARTS = [
  'GET /inner HTTP/1.1 ',
  'GET\t/inner\tHTTP/1.1',
  'GET /inner HTTP/1.1\0',
  'GET /inner http/1.1',
  'GET /inner HTTP/01.1',
  'GET /inner HTTP/1.10',
  'GET /inner HTTP/2.0',
  'GET /inner HTTP/3.1',
  'GET /inner',
  'GET inner HTTP/1.1',
  'GET /in ner HTTP/1.1',
  'G\0T /inner HTTP/1.1',
  'get /inner HTTP/1.1',
  '\x16\x03\x01\x02\x00\x01\x00',
]

describe('a request that could be read in two ways', () => {
  let service: TestService

  before(async () => {
    service = await startOwnService({
      change: (config) => ({
        ...config,
        http: { ...config.http, headersTimeoutSeconds: 1, requestTimeoutSeconds: 1 },
      }),
    })
    await put(service.api(), '/inner', 'the inner request was answered')
  })
  after(() => service.stop())

  for (const host of ['demo.localhost', 'localhost']) {
    for (const [name, [fields, body]] of Object.entries(AMBIGUOUS)) {
      it(`is refused at ${host} if it is ambiguous by ${name}, and nothing after it is answered`, async () => {
        const head = `POST /api/v1/pages HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\n\r\n`
        const { status, text } = await sendRaw(service.server.port, head + body)
        assert.ok(status >= 400 && status < 500, text.slice(0, 200))
        // A body that turns out malformed after its head was refused is refused too.
        for (const [, answer] of text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)) assert.match(answer ?? '', /^4/)
        assert.ok(!text.includes('the inner request was answered'))
      })
    }
  }

  for (const start of STARTS) {
    it(`is refused with the start ${JSON.stringify(start)}`, async () => {
      const { status, text } = await sendRaw(service.server.port, `${start}\r\nHost: demo.localhost\r\n\r\n${INNER}`)
      assert.ok((status >= 400 && status < 500) || status === 505, text.slice(0, 200))
      assert.ok(!text.includes('the inner request was answered'))
    })
  }

  it('is the only kind refused: two plain requests in a row are both answered', async () => {
    const last = INNER.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
    const { text } = await sendRaw(service.server.port, INNER + last)
    assert.equal(text.match(/the inner request was answered/g)?.length, 2)
  })
})
