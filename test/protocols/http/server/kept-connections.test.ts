import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createHttpServer } from '../../../../src/protocols/http/server/http-server.js'
import { holdThread } from '../../../tasks/analysis/hold-thread.js'

const LIMITS = {
  headersTimeoutSeconds: 5,
  requestTimeoutSeconds: 5,
  keepAliveSeconds: 1,
  maxConnections: 1000,
  maxConnectionsPerAddress: 1000,
  maxRequestsPerConnection: 100,
  minBytesPerSecond: 0,
  slowSeconds: 5,
}
/** More than a connection may be idle. */
const STALL_MS = 2500
const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

describe('a connection that is kept between requests', () => {
  let server: Server
  const opened: Socket[] = []

  before(async () => {
    server = createHttpServer(LIMITS, [], (_request, response) => response.end('answer'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterEach(() => {
    for (const socket of opened.splice(0)) socket.destroy()
  })
  after(() => server.close())

  async function openKept(): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    opened.push(socket)
    socket.on('error', () => undefined).write(GET)
    await once(socket, 'data')
    return socket
  }

  it('is not closed if the next request has arrived, even if a busy process sees it late', async () => {
    const socket = await openKept()
    const answer = Promise.race([once(socket, 'data'), once(socket, 'close').then(() => ['the connection ended'])])
    socket.write(GET)
    holdThread(STALL_MS)
    assert.match(String((await answer)[0]), /^HTTP\/1\.1 200 /)
  })

  it('is closed if no request comes', async () => {
    const socket = await openKept()
    await once(socket, 'close')
  })
})
