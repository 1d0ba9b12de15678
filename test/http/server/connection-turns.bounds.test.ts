import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { takeConnectionsInTurns } from '../../../src/http/server/connection-turns.js'
import { createHttpServer } from '../../../src/http/server/http-server.js'

const LIMITS = {
  headersTimeoutSeconds: 5,
  requestTimeoutSeconds: 5,
  keepAliveSeconds: 5,
  maxConnections: 1000,
  maxConnectionsPerAddress: 150,
  maxRequestsPerConnection: 100,
  minBytesPerSecond: 0,
  slowSeconds: 5,
}
/** Much longer than a connection may wait for others that come, so that a busy machine does not count. */
const MAX_MS = 15_000
/** Longer than any test takes. */
const ENDLESS_MS = 600_000

// On other systems 127.0.0.2 is nobody's.
const describeOnLinux = process.platform === 'linux' ? describe : () => undefined

describeOnLinux('connections that one address opens in one instant', () => {
  let server: Server
  let served: string[]
  const opened: Socket[] = []

  before(async () => {
    server = createHttpServer(LIMITS, [], (request, response) => {
      served.push(request.socket.remoteAddress ?? '')
      response.end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  beforeEach(() => (served = []))
  afterEach(async () => {
    for (const socket of opened.splice(0)) socket.destroy()
    while ((await openOf(server)) > 0) await pause(5)
  })
  after(() => server?.close())

  function open(localAddress: string, to = server): Socket {
    const socket = connect({ port: (to.address() as AddressInfo).port, host: '127.0.0.1', localAddress })
    socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    opened.push(socket)
    return socket
  }

  it('are all served', async () => {
    const crowd = Array.from({ length: 120 }, () => open('127.0.0.2'))
    await Promise.all(crowd.map((socket) => once(socket, 'data')))
    assert.equal(served.length, 120)
  })

  describe('where turns are far apart', () => {
    let slow: Server

    afterEach(() => void slow.close())

    async function listen(turnMs: number): Promise<void> {
      const own = served
      slow = createServer((request, response) => {
        own.push(request.socket.remoteAddress ?? '')
        response.end()
      })
      takeConnectionsInTurns(slow, 150, () => false, turnMs)
      await once(slow.listen(0, '127.0.0.1'), 'listening')
    }

    /** All that one address may have served at once. */
    async function openSixteen(address: string): Promise<Socket[]> {
      const sockets = Array.from({ length: 16 }, () => open(address, slow))
      await Promise.all(sockets.map((socket) => once(socket, 'data')))
      return sockets
    }

    const servedOf = (address: string) => served.filter((one) => one === address).length

    it('wait past the sixteenth, and nobody else waits', async () => {
      await listen(ENDLESS_MS)
      await openSixteen('127.0.0.2')
      for (let count = 0; count < 104; count++) open('127.0.0.2', slow)
      await openSixteen('127.0.0.1')
      assert.deepEqual([servedOf('127.0.0.1'), servedOf('127.0.0.2')], [16, 16])
    })

    it('are served when another one of the address ends', async () => {
      await listen(ENDLESS_MS)
      const [first] = await openSixteen('127.0.0.2')
      const next = open('127.0.0.2', slow)
      first?.destroy()
      await once(next, 'data')
      assert.equal(served.length, 17)
    })

    it('wait no longer for an address that has more of them', async () => {
      await listen(100)
      await openSixteen('127.0.0.2')
      for (let count = 0; count < 100; count++) open('127.0.0.2', slow)
      await openSixteen('127.0.0.3')
      await once(open('127.0.0.3', slow), 'data')
      assert.ok(servedOf('127.0.0.2') < 116)
    })
  })

  it('are served without a long wait where others connect all the time', async () => {
    for (let kept = 0; kept < 20; kept++) open('127.0.0.2')
    const started = performance.now()
    const answered = once(open('127.0.0.2'), 'data').then(() => true)
    while (!(await Promise.race([answered, nextTurn(false)]))) {
      open('127.0.0.1')
      assert.ok(performance.now() - started < MAX_MS)
    }
  })

  it('may end before they are served', async () => {
    for (const socket of Array.from({ length: 100 }, () => open('127.0.0.2'))) socket.resetAndDestroy()
    const last = open('127.0.0.2')
    assert.match(String((await once(last, 'data'))[0]), /^HTTP\/1\.1 200 /)
  })

  it('are closed past the most that one address may have', async () => {
    const crowd = Array.from({ length: 200 }, () => open('127.0.0.2'))
    const answers = crowd.map((socket) => new Promise((resolve) => socket.once('data', resolve).once('close', resolve)))
    const answered = (await Promise.all(answers)).filter((answer) => Buffer.isBuffer(answer))
    assert.equal(answered.length, 150)
  })
})

function openOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}
