import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Relay } from './relay.js'

const MAX_FIELDS = 1000
/** Of some counts past the limit Node has all fields in one list and not in the other, and of higher ones in neither. */
const COUNTS = [MAX_FIELDS, MAX_FIELDS + 1, 1023, 1024, 1100, 4000]
const METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']
const BODY = 'ten bytes!'
const CHUNKS = `a\r\n${BODY}\r\n0\r\n\r\n`

interface Framing {
  field: string
  /** The body as it is sent. */
  sent: string
  body: string
}

const FRAMINGS: readonly Framing[] = [
  { field: 'a: b', sent: '', body: '' },
  { field: `Content-Length: ${BODY.length}`, sent: BODY, body: BODY },
  { field: 'Transfer-Encoding: chunked', sent: CHUNKS, body: BODY },
  { field: 'Expect: 100-continue', sent: '', body: '' },
]

/** The framing field is the last of so many. */
function requestWith(method: string, path: string, count: number, { field, sent }: Framing): string {
  const others = 'a: b\r\n'.repeat(count - 3)
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${others}${field}\r\n\r\n${sent}`
}

/** Fields that say where a body ends in a way that two readers could understand differently, and the body that follows. */
const REFUSED: Readonly<Record<string, [fields: string, sent: string]>> = {
  'two lengths': ['Content-Length: 10\r\nContent-Length: 10', BODY],
  'two different lengths': ['Content-Length: 10\r\nContent-Length: 0', BODY],
  'a list of lengths': ['Content-Length: 10, 10', BODY],
  'a length with a sign': ['Content-Length: +10', BODY],
  'a length of hexadecimal digits': ['Content-Length: 0xa', BODY],
  'an empty length': ['Content-Length:', BODY],
  'a length past 64 bits': ['Content-Length: 18446744073709551626', BODY],
  'a length and chunks': ['Content-Length: 10\r\nTransfer-Encoding: chunked', CHUNKS],
  'chunks and a length': ['Transfer-Encoding: chunked\r\nContent-Length: 10', CHUNKS],
  'chunks twice': ['Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', CHUNKS],
  'chunks within another coding': ['Transfer-Encoding: chunked, identity', CHUNKS],
  'another coding': ['Transfer-Encoding: identity', ''],
  'an unknown coding': ['Transfer-Encoding: xchunked', CHUNKS],
  'an empty coding': ['Transfer-Encoding:', ''],
  'an empty coding and a length': ['Transfer-Encoding:\r\nContent-Length: 10', BODY],
  'an empty coding and chunks': ['Transfer-Encoding:\r\nTransfer-Encoding: chunked', CHUNKS],
  'chunks of a compressed body': ['Transfer-Encoding: gzip, chunked', CHUNKS],
  'a folded coding': ['Transfer-Encoding:\r\n chunked', CHUNKS],
  'a folded length': ['X: y\r\n Content-Length: 10', BODY],
  'a space before the colon': ['Content-Length : 10', BODY],
  'a field that ends with LF': ['X: y\nContent-Length: 10', BODY],
  'a field that ends with CR': ['X: y\rContent-Length: 10', BODY],
  'a field without a name': [': 10', BODY],
  'a length behind NUL': ['X: \0\r\nContent-Length: 10', BODY],
}

const TAKEN: Readonly<Record<string, [fields: string, sent: string]>> = {
  'a length with zeros before it': ['Content-Length: 0010', BODY],
  'a length between spaces': ['Content-Length:   10  ', BODY],
  'chunks in capitals': ['TRANSFER-ENCODING: CHUNKED', CHUNKS],
  'chunks with extensions and trailers': ['Transfer-Encoding: chunked', `a;b=c\r\n${BODY}\r\n0\r\nX: y\r\n\r\n`],
  'a length that Connection names': ['Connection: content-length\r\nContent-Length: 10', BODY],
  'a length that is asked for': ['Expect: 100-continue\r\nContent-Length: 10', BODY],
  'a length and a wish to change the protocol': ['Connection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 10', BODY],
}

describe('the way from one node to another', () => {
  let relay: Relay

  before(async () => (relay = await Relay.open()))
  after(() => relay.stop())

  for (const framing of FRAMINGS) {
    for (const count of COUNTS) {
      const isTaken = count <= MAX_FIELDS
      it(`${isTaken ? 'takes' : 'refuses'} requests with ${count} fields, the last of them "${framing.field}"`, async () => {
        for (const method of METHODS) {
          const answer = await relay.send(requestWith(method, '/many', count, framing))
          const expected = `${method} /many 127.0.0.1 ${JSON.stringify(framing.body)}`
          const status = isTaken ? 200 : 431
          assert.match(answer, new RegExp(`^(?:HTTP/1.1 100 Continue\r\n\r\n)?HTTP/1.1 ${status} `))
          await relay.assertInStep()
          assert.deepEqual(relay.takeArrived(), isTaken ? [expected] : [])
        }
      })
    }
  }

  for (const [what, [fields, sent]] of Object.entries(REFUSED)) {
    it(`refuses ${what}, and closes the connection`, async () => {
      for (const method of METHODS) {
        const answer = await relay.send(`${method} /odd HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n\r\n${sent}`)
        assert.match(answer, /^HTTP\/1\.1 400 /)
        await relay.assertInStep()
        assert.deepEqual(relay.takeArrived(), [])
      }
    })
  }

  for (const [what, [fields, sent]] of Object.entries(TAKEN)) {
    it(`brings the body of ${what}, no more and no less`, async () => {
      for (const method of METHODS) {
        await relay.send(`${method} /odd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${fields}\r\n\r\n${sent}`)
        await relay.assertInStep()
        assert.deepEqual(relay.takeArrived(), [`${method} /odd 127.0.0.1 ${JSON.stringify(BODY)}`])
      }
    })
  }

  for (const path of ['/read', '/unread']) {
    it(`stays in step where a client leaves before its body is whole (${path})`, async () => {
      for (const head of ['Content-Length: 300', 'Content-Length: 300000', 'Transfer-Encoding: chunked']) {
        const socket = connect(relay.port, '127.0.0.1')
        socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n12c\r\nhalf of it`)
        if (path === '/unread') await once(socket, 'data')
        socket.destroy()
        await relay.assertInStep()
      }
    })
  }

  it('answers requests that come at once on one connection in their order', async () => {
    const chunked = FRAMINGS[2] as Framing
    const requests = ['/1', '/2'].map((path) =>
      requestWith('POST', path, 100, chunked).replace('Connection: close\r\n', ''),
    )
    const answer = await relay.send([...requests, requestWith('GET', '/3', 100, FRAMINGS[0] as Framing)].join(''))
    assert.deepEqual(answer.match(/(?:POST|GET) \/\d/g), ['POST /1', 'POST /2', 'GET /3'])
    await relay.assertInStep()
  })
})
