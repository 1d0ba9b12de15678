import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createHttpServer } from '../../../../src/protocols/http/server/http-server.js'
import { until } from '../../../support/within.js'

const MAX = 40
const LIMITS = {
  headersTimeoutSeconds: 5,
  requestTimeoutSeconds: 5,
  keepAliveSeconds: 5,
  maxConnections: 1000,
  maxConnectionsPerAddress: MAX,
  maxRequestsPerConnection: 100,
  minBytesPerSecond: 0,
  slowSeconds: 5,
}

describe('a server that limits the connections of one address', () => {
  let server: Server
  const opened: Socket[] = []

  async function listen(trusted: readonly string[]): Promise<void> {
    server = createHttpServer(LIMITS, trusted, (_request, response) => response.end())
    await once(server.listen(0, '127.0.0.1'), 'listening')
  }
  afterEach(() => {
    for (const socket of opened.splice(0)) socket.destroy()
    server.close()
  })

  /** Resolves with whether a request on a new connection is answered. The connection stays open where it is. */
  function isServed(): Promise<boolean> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    opened.push(socket)
    socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    return new Promise((resolve) => socket.once('data', () => resolve(true)).once('close', () => resolve(false)))
  }

  it('serves as many as the limit, and closes those above it', async () => {
    await listen([])
    const answers = await Promise.all(Array.from({ length: 2 * MAX }, isServed))
    assert.equal(answers.filter(Boolean).length, MAX)
  })

  it('serves a further one once another has ended', async () => {
    await listen([])
    await Promise.all(Array.from({ length: MAX }, isServed))
    assert.equal(await isServed(), false)
    opened[0]?.resetAndDestroy()
    await until(isServed, Boolean)
  })

  it('does not count those of a trusted proxy', async () => {
    await listen(['127.0.0.1'])
    const answers = await Promise.all(Array.from({ length: 2 * MAX }, isServed))
    assert.equal(answers.filter(Boolean).length, 2 * MAX)
  })
})
