import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { forward } from '../../src/forwarding/forward.js'
import { openInnerServer } from '../../src/forwarding/inner-server.js'
import { createHttpServer } from '../../src/http/server/http-server.js'
import { LIMITS } from './relay.js'

describe('a connection to another node', () => {
  it('ends with a request that is answered before its body has come', async () => {
    const far = await openInnerServer({
      at: { host: '127.0.0.1', port: 0 },
      handle: (request, response) => response.end(request.url),
    })
    const { port } = far.address() as AddressInfo
    const agent = new Agent({ keepAlive: true })
    const near = createHttpServer(LIMITS, [], (request, response) =>
      forward(request, response, { at: { host: '127.0.0.1', port }, agent, onLost: () => assert.fail() }),
    ).listen(0, '127.0.0.1')
    await once(near, 'listening')
    const opened = once(far, 'connection') as Promise<[Socket]>
    const client = connect((near.address() as AddressInfo).port, '127.0.0.1')
    client.write('POST /here HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300\r\n\r\nhalf')
    const [upstream] = await opened
    let answer = ''
    for await (const data of client) if ((answer += String(data)).includes('/here')) break
    if (!upstream.closed) await once(upstream, 'close')
    assert.match(answer, /^HTTP\/1\.1 200 /)
    agent.destroy()
    for (const server of [near, far]) {
      server.close()
      server.closeAllConnections()
    }
  })
})
