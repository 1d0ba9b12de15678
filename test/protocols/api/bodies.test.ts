import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import * as fc from 'fast-check'
import { parseJson } from '../../../src/texts/parse-json.js'
import { parseQuery } from '../../../src/protocols/api/request/parse-query.js'
import { parseIfMatch } from '../../../src/protocols/api/request/preconditions.js'
import { ServiceError } from '../../../src/model/errors.js'
import { startTestService, type TestService } from '../../support/service.js'
import { anyText } from '../../texts/any-text.js'

const BOUNDS = { maxJsonDepth: 64, maxJsonValues: 1000 }
const MIB = 1024 * 1024

describe('request bodies', () => {
  let service: TestService

  before(async () => {
    service = await startTestService()
  })
  after(() => service.stop())

  it('are refused at the limit if they never end, and their connection is cut', async () => {
    const socket = connect(service.server.port, '127.0.0.1')
    const answer = readAll(socket)
    socket.write(
      `PUT /api/v1/pages?path=/endless HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.key}\r\n` +
        'Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    const sent = await sendWithoutEnd(socket)
    assert.match(await answer, /^HTTP\/1\.1 413 /)
    assert.ok(sent < 40 * MIB, `${sent} bytes were taken`)
    await service.api().get('/me').expect(200)
  })

  it('are refused before anything is read if their length is past the limit', async () => {
    const socket = connect(service.server.port, '127.0.0.1')
    const answer = readAll(socket)
    socket.write(
      `PUT /api/v1/pages?path=/long HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.key}\r\n` +
        `Content-Type: text/html\r\nContent-Length: ${11 * MIB}\r\n\r\n`,
    )
    assert.match(await answer, /^HTTP\/1\.1 413 /)
  })

  it('are limited by their route: a key needs no megabytes, and a sign-in token 4 KiB', async () => {
    const long = JSON.stringify({ label: 'x'.repeat(400_000) })
    await service.api().post('/keys').type('json').send(long).expect(403)
    const { key } = await service.mint({ scopes: ['admin'] })
    await service.api(key).post('/keys').type('json').send(long).expect(413)
    const socket = connect(service.server.port, '127.0.0.1')
    const answer = readAll(socket)
    socket.write(
      `POST /session HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:${service.server.port}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 4097\r\n\r\n',
    )
    assert.match(await answer, /^HTTP\/1\.1 413 /)
  })

  it('are parsed outside of the serving thread above a megabyte of JSON, with the same results and refusals', async () => {
    const html = '<p>\u20ac "quoted" \\ and \u{1f600}</p>\n'.repeat(60_000)
    const made = await service.api().post('/pages').send({ path: '/long-json', html }).expect(201)
    const { id } = (made.body as { data: { id: string } }).data
    const page = await service.api().get(`/pages/${id}`).expect(200)
    assert.equal((page.body as { data: { html: string } }).data.html, html)
    const broken = `{"path":"/broken","html":"${'x'.repeat(2 * MIB)}`
    const { body } = await service.api().post('/pages').type('json').send(broken).expect(400)
    assert.equal((body as { error: { code: string } }).error.code, 'invalid_json')
  })

  it('may begin with one byte order mark, short or long', async () => {
    for (const [path, html] of [
      ['/short', 'x'],
      ['/long', 'x'.repeat(2 * MIB)],
    ]) {
      const json = JSON.stringify({ path, html })
      await service.api().post('/pages').type('json').send(`\ufeff${json}`).expect(201)
      await service.api().post('/pages').type('json').send(`\ufeff\ufeff${json}`).expect(400)
    }
  })

  it('are refused before parsing if their JSON has millions of values', async () => {
    const collection = await service.api().post('/collections').send({ name: 'many' }).expect(201)
    const { id } = (collection.body as { data: { id: string } }).data
    const body = `{"data":{"list":[${'{},'.repeat(600_000)}{}]}}`
    const refused = await service.api().post(`/collections/${id}/records`).type('json').send(body).expect(400)
    assert.match(refused.text, /"invalid_json","message":"The body has more than \d+ values\."/)
  })

  it('are parsed as by JSON.parse, or refused', () => {
    fc.assert(
      fc.property(fc.json({ depthSize: 'medium' }), (text) => {
        try {
          assert.deepEqual(parseJson(text, BOUNDS), JSON.parse(text))
        } catch (error) {
          assert.ok(error instanceof ServiceError && error.code === 'invalid_json')
        }
      }),
    )
  })

  it('are refused if they have a number that would be rounded', () => {
    for (const number of ['12345678901234567890', '-9007199254740993', '1e999', '9'.repeat(400)])
      assert.throws(() => parseJson(`{"a": [${number}]}`, BOUNDS), /would be rounded: send it as a text/, number)
    for (const number of ['9007199254740993', '1e999'])
      assert.deepEqual(parseJson(`{"a": "${number}"}`, BOUNDS), { a: number })
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (number) => {
        assert.deepEqual(parseJson(JSON.stringify([number]), BOUNDS), JSON.parse(JSON.stringify([number])))
      }),
    )
  })

  it('keep each number that is exact in JavaScript, or is printed as it was sent, and refuse the others', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.nat({ max: 17 }), (whole, digits) => {
        const number = whole / 10n ** BigInt(digits)
        const text = `{"a":[${number},0]}`
        const isKept = BigInt(Number(number)) === number || String(Number(number)) === String(number)
        if (isKept) assert.deepEqual(parseJson(text, BOUNDS), { a: [Number(number), 0] })
        else assert.throws(() => parseJson(text, BOUNDS), /would be rounded/)
      }),
    )
  })

  it('become an input or a refusal, for any query', () => {
    fc.assert(
      fc.property(anyText(), (query) => {
        try {
          parseQuery(query, undefined)
        } catch (error) {
          assert.ok(error instanceof ServiceError && error.code === 'invalid_query')
        }
      }),
    )
  })

  it('come with filters, which are read as they were written', () => {
    const name = fc.string({ minLength: 1 }).filter((text) => !/[[\]]/.test(text))
    const op = fc.constantFrom('gt', 'gte', 'lt', 'lte', 'ne', 'contains')
    fc.assert(
      fc.property(name, op, fc.string(), (field, operator, value) => {
        const query = `${encodeURIComponent(`filter[${field}][${operator}]`)}=${encodeURIComponent(value)}`
        assert.deepEqual(parseQuery(query, undefined)['filter'], [{ field, op: operator, value }])
      }),
    )
  })

  it('come with lists of entity tags, read by RFC 9110: commas in tags, empty elements, weak ones left out', () => {
    assert.deepEqual(parseIfMatch('"a,b", , W/"weak","c"'), ['a,b', 'c'])
    assert.equal(parseIfMatch('*'), '*')
    for (const field of ['abc', '"open', '"a" "b"']) {
      assert.throws(
        () => parseIfMatch(field),
        (error) => error instanceof ServiceError && error.code === 'invalid_header',
      )
    }
  })
})

function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text))
  })
}

/** Sends chunks until the other side has enough; answers how many bytes left. */
async function sendWithoutEnd(socket: Socket): Promise<number> {
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 'x'), Buffer.from('\r\n')])
  let sent = 0
  while (!socket.destroyed && sent < 64 * MIB) {
    sent += chunk.length
    if (!socket.write(chunk)) {
      await new Promise<void>((resolve) => {
        socket.once('drain', resolve)
        socket.once('close', resolve)
      })
    }
  }
  return sent
}
