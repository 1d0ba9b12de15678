import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { PATIENCE_MS, within } from '../support/within.js'
import { collectGarbage } from './collect-garbage.js'
import { Hosting, STREAMS } from '../protocols/host/hosting.js'

const MEBIBYTE = 1024 * 1024

describe('the memory of the pages', () => {
  const CACHE = 10 * MEBIBYTE
  const hosting = new Hosting({ cacheBytes: CACHE })
  const PAGES = 24
  /** Too large for the memory of objects, which has a bound of its own. */
  const SIZE = 1_100_000

  before(async () => {
    const files = Array.from({ length: PAGES }, (_, at) => [`${at}.bin`, Buffer.alloc(SIZE, String(at))] as const)
    await hosting.createSite('demo', Object.fromEntries(files))
    await hosting.start()
  })
  after(() => hosting.stop())

  it('stays within the limit, for any number of visited pages', async () => {
    const atFirst = await memoryInUse()
    const requests = Array.from({ length: PAGES }, (_, at) => ({ method: 'GET', target: `/${at}.bin`, headers: {} }))
    let bytes = 0
    for (const request of requests) bytes += (await hosting.askInTurn('demo', [request]))[0]!.body.length
    assert.equal(bytes, PAGES * SIZE)
    const kept = (await memoryInUse()) - atFirst
    assert.ok(kept > CACHE / 2 && kept < 1.25 * CACHE, `${kept} bytes`)
  })
})

describe('the memory of visitors who read nothing', () => {
  const SIZE = 12 * MEBIBYTE
  const FILES = 12
  /** Covers the held bodies, the cache, and some memory for bodies that are streamed. */
  const MOST = 64 * MEBIBYTE
  const hosting = new Hosting({ cacheBytes: 16 * MEBIBYTE })

  before(async () => {
    const files = Array.from({ length: FILES }, (_, at) => [`${at}.bin`, Buffer.alloc(SIZE, `file ${at}`)] as const)
    await hosting.createSite('demo', Object.fromEntries(files))
    await hosting.start()
  })
  after(() => hosting.stop())

  /** Opens `count` visits in sequence, each from its own address, which read the head of the answer and nothing more. */
  async function visit(count: number, target: (at: number) => string): Promise<Socket[]> {
    const sockets: Socket[] = []
    for (let at = 0; at < count; at++) {
      const socket = hosting.connect(`127.0.1.${at + 1}`)
      socket.write(`GET ${target(at)} HTTP/1.1\r\nHost: demo.site.test\r\nConnection: close\r\n\r\n`)
      await once(socket, 'readable')
      sockets.push(socket)
    }
    return sockets
  }

  it('stays within a bound, for any requested files, and each visitor gets all bytes once it reads', async () => {
    const atFirst = await memoryInUse()
    const visitors = await visit(FILES, (at) => `/${at}.bin`)
    const held = (await memoryInUse()) - atFirst
    const bodies = await Promise.all(visitors.map(bodyOf))
    assert.ok(held < MOST, `${held} bytes`)
    for (const [at, body] of bodies.entries()) assert.ok(body.equals(Buffer.alloc(SIZE, `file ${at}`)), `${at}`)
  })

  it('is that of one file if they all ask for the same', async () => {
    const atFirst = await memoryInUse()
    const visitors = await visit(24, () => '/0.bin')
    const held = (await memoryInUse()) - atFirst
    const bodies = await Promise.all(visitors.map(bodyOf))
    assert.ok(held < 2 * SIZE, `${held} bytes`)
    for (const body of bodies) assert.ok(body.equals(Buffer.alloc(SIZE, 'file 0')))
  })
})

describe('a visitor at an address whose other visitors use all its memory and streams', () => {
  const SIZE = 12 * MEBIBYTE
  const film = Buffer.alloc(SIZE, 'a film ')
  /** There is memory for two of them. The others are streamed. */
  const names = Array.from({ length: 2 + STREAMS.perAddress }, (_, at) => `${at}.bin`)
  const hosting = new Hosting({ cacheBytes: 0 })

  before(async () => {
    const files = names.map((name) => [name, Buffer.alloc(SIZE, name)] as const)
    await hosting.createSite('demo', { ...Object.fromEntries(files), 'film.bin': film })
    await hosting.start()
  })
  after(() => hosting.stop())

  it('waits for a file of some megabytes until one of them has ended', async () => {
    const others: Socket[] = []
    for (const name of names) {
      const socket = hosting.connect()
      socket.write(`GET /${name} HTTP/1.1\r\nHost: demo.site.test\r\n\r\n`)
      await once(socket, 'readable')
      others.push(socket)
    }
    const answered = hosting.ask('demo', '/film.bin')
    await within(PATIENCE_MS, () => assert.equal(hosting.admission.memory.of('visitors').figures.waiting, 1))
    others[0]?.destroy()
    const { status, body } = await answered
    assert.equal(status, 200)
    assert.ok(body.equals(film))
    for (const socket of others) socket.destroy()
  })
})

describe('a visitor at the address of others who read nothing', () => {
  const CACHE = 64 * MEBIBYTE
  const text = 'a text of seven mebibytes\n'.repeat((7 * MEBIBYTE) / 26)
  const short = randomBytes(600_000)
  const hosting = new Hosting({ cacheBytes: CACHE })
  const others: Socket[] = []

  before(async () => {
    const long = [1, 2].map((at) => [`${at}.bin`, randomBytes(16 * MEBIBYTE)] as const)
    await hosting.createSite('demo', { ...Object.fromEntries(long), 'text.txt': text, 'short.bin': short })
    await hosting.start()
    for (const [name] of long) {
      const socket = hosting.connect()
      socket.write(`GET /${name} HTTP/1.1\r\nHost: demo.site.test\r\n\r\n`)
      await once(socket, 'readable')
      others.push(socket)
    }
  })
  after(() => {
    for (const socket of others) socket.destroy()
    return hosting.stop()
  })

  it('gets a long file as it is, since there is no room to compress it', async () => {
    const answer = await hosting.ask('demo', '/text.txt', { 'Accept-Encoding': 'gzip' })
    assert.deepEqual([answer.status, answer.headers['content-encoding']], [200, undefined])
    assert.equal(answer.body.toString(), text)
  })

  it('gets a file of less than a mebibyte too', async () => {
    const { status, body } = await hosting.ask('demo', '/short.bin')
    assert.equal(status, 200)
    assert.ok(body.equals(short))
  })

  it('is asked to come again if it accepts only gzip', async () => {
    const answer = await hosting.ask('demo', '/text.txt', { 'Accept-Encoding': 'gzip, identity;q=0' })
    assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '5'])
  })

  it('gets it compressed once they have gone', async () => {
    for (const socket of others) socket.destroy()
    await within(PATIENCE_MS, async () => {
      const answer = await hosting.ask('demo', '/text.txt', { 'Accept-Encoding': 'gzip' })
      assert.equal(answer.headers['content-encoding'], 'gzip')
      assert.equal(gunzipSync(answer.body).toString(), text)
    })
  })
})

async function bodyOf(socket: Socket): Promise<Buffer> {
  const answer = await buffer(socket)
  return answer.subarray(answer.indexOf('\r\n\r\n') + 4)
}

/**
 * Bytes outside of the heap that something in it still holds: what is garbage goes over some turns of the loop. Node's own count
 * of buffers leaves out those that another thread made.
 */
async function memoryInUse(): Promise<number> {
  for (let last = Infinity; ; ) {
    collectGarbage()
    await pause(20)
    const { external } = process.memoryUsage()
    if (external === last) return external
    last = external
  }
}
