import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { after, before, describe, it } from 'mocha'
import { MAX_BLOB_BYTES } from '../../src/model/bytes.js'
import { flipByteOf } from '../support/damage.js'
import { Hosting, STREAMS } from '../protocols/host/hosting.js'

describe('a blob too large for memory', () => {
  const hosting = new Hosting()
  const film = randomBytes(MAX_BLOB_BYTES + 1)
  const song = randomBytes(2 * hosting.cacheBytes)

  before(async () => {
    await hosting.createSite('demo', { 'film.bin': film, 'song.bin': song, 'index.html': 'start' })
    hosting.git('demo', ['repack', '-adq'])
    await hosting.start()
  })
  after(() => hosting.stop())

  /** Asks for the film, and reads no further than its first bytes. */
  async function beginReading(): Promise<Socket> {
    const socket = hosting.connect()
    socket.write('GET /film.bin HTTP/1.1\r\nHost: demo.site.test\r\n\r\n')
    await once(socket, 'data')
    return socket.pause()
  }

  it('is sent completely, and answers HEAD and If-None-Match like any other file', async () => {
    const { status, headers, body } = await hosting.ask('demo', '/film.bin')
    assert.equal(status, 200)
    assert.equal(headers['content-length'], String(film.length))
    assert.ok(body.equals(film))
    const head = await hosting.ask('demo', '/film.bin', {}, 'HEAD')
    assert.deepEqual({ ...head.headers, date: '' }, { ...headers, date: '' })
    assert.equal((await hosting.ask('demo', '/film.bin', { 'If-None-Match': headers['etag'] ?? '' })).status, 304)
  })

  it('is sent in ranges, and the git process ends after the range', async () => {
    const parts: [range: string, start: number, end: number][] = [
      ['bytes=0-9', 0, 10],
      ['bytes=5000000-5000099,5000100-5000199', 5_000_000, 5_000_200],
      ['bytes=-7', film.length - 7, film.length],
    ]
    for (const [range, start, end] of parts) {
      const { status, headers, body } = await hosting.ask('demo', '/film.bin', { Range: range })
      assert.deepEqual([status, headers['content-length']], [206, String(end - start)])
      assert.equal(headers['content-range'], `bytes ${start}-${end - 1}/${film.length}`)
      assert.ok(body.equals(film.subarray(start, end)), range)
    }
    await untilNoGitRuns()
    assert.deepEqual(hosting.logged, [])
  })

  it('is streamed if the cache has no room for it', async () => {
    for (const time of ['first', 'second']) assert.ok((await hosting.ask('demo', '/song.bin')).body.equals(song), time)
  })

  it('has the bytes of its oid, even if refs/replace/ names others', async () => {
    const oid = hosting.git('demo', ['rev-parse', 'main:film.bin'])
    hosting.git('demo', [
      '-c',
      'core.hooksPath=/dev/null',
      'replace',
      oid,
      hosting.git('demo', ['rev-parse', 'main:index.html']),
    ])
    assert.ok((await hosting.ask('demo', '/film.bin')).body.equals(film))
    hosting.git('demo', ['replace', '-d', oid])
  })

  it('leaves no git process behind if its visitor disconnects', async () => {
    const socket = await beginReading()
    assert.ok(gitChildren().length > 0, 'git is reading')
    socket.destroy()
    await untilNoGitRuns()
  })

  it('is refused with 503 to an address that reads as many as it may', async () => {
    const slow = await Promise.all(Array.from({ length: STREAMS.perAddress }, () => beginReading()))
    const { status, headers } = await hosting.ask('demo', '/film.bin')
    assert.deepEqual([status, headers['retry-after']], [503, '5'])
    assert.equal((await hosting.ask('demo', '/')).status, 200)
    for (const socket of slow) socket.destroy()
    await untilNoGitRuns()
    assert.equal((await hosting.ask('demo', '/film.bin')).status, 200)
  })

  it('breaks its own connection if it is damaged on disk, is then refused, and is sent again once repaired', async () => {
    const site = await hosting.createSite('cinema', { 'film.bin': film, 'index.html': 'start' })
    hosting.git('cinema', ['repack', '-adq'])
    assert.equal((await hosting.ask('cinema', '/film.bin', { Range: 'bytes=0-9' })).status, 206)
    const mend = flipByteOf(
      hosting.store.repositories.gitdir(site),
      hosting.git('cinema', ['rev-parse', 'main:film.bin']),
    )
    const { status, body } = await hosting.ask('cinema', '/film.bin')
    assert.equal(status, 200)
    assert.ok(body.length < film.length)
    assert.equal((await hosting.ask('cinema', '/film.bin')).status, 503)
    assert.equal(hosting.logged.length, 2)
    assert.deepEqual(
      hosting.store.troubles.of(site.id).map(({ kind }) => kind),
      ['object'],
    )
    assert.equal((await hosting.ask('cinema', '/')).body.toString(), 'start')
    mend()
    assert.ok((await hosting.ask('cinema', '/film.bin')).body.equals(film))
  })
})

describe('a large file of a site whose 64 visitors hardly read', () => {
  const hosting = new Hosting({ rate: { minBytesPerSecond: 8 * 1024 * 1024, slowSeconds: 2 } })
  const film = randomBytes(MAX_BLOB_BYTES + 1)

  before(async () => {
    await hosting.createSite('greedy', { 'film.bin': film, 'index.html': 'start' })
    await hosting.createSite('other', { 'film.bin': film, 'index.html': 'start' })
    await hosting.start()
  })
  after(() => hosting.stop())

  it("never takes capacity from another site's large files, and all its visitors are dropped by the minimum rate", async () => {
    const slow = Array.from({ length: 64 }, (_, at) =>
      hosting.connect(`127.0.0.${2 + Math.floor(at / STREAMS.perAddress)}`),
    )
    const began = await Promise.all(
      slow.map(async (socket) => {
        socket.on('error', () => undefined).write('GET /film.bin HTTP/1.1\r\nHost: greedy.site.test\r\n\r\n')
        const [bytes] = (await once(socket, 'data')) as [Buffer]
        socket.pause()
        return bytes.toString('latin1', 9, 12)
      }),
    )
    assert.equal(began.filter((status) => status === '200').length, STREAMS.perSite)
    assert.equal(began.filter((status) => status === '503').length, 64 - STREAMS.perSite)
    assert.ok((await hosting.ask('other', '/film.bin')).body.equals(film))
    await untilNoGitRuns(20_000)
    assert.equal((await hosting.ask('greedy', '/film.bin')).status, 200)
    for (const socket of slow) socket.destroy()
  })
})

async function untilNoGitRuns(maxMs = 5000): Promise<void> {
  const deadline = performance.now() + maxMs
  while (gitChildren().length > 0) {
    assert.ok(performance.now() < deadline, 'git still runs')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Processes of git that this process started. */
function gitChildren(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      return name === 'git' && Number(parent) === process.pid
    } catch {
      return false
    }
  })
}
