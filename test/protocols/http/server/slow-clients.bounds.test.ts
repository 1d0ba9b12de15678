import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { endSlowClients } from '../../../../src/protocols/http/server/slow-clients.js'

const MEBIBYTE = 1024 * 1024
const RATE = { minBytesPerSecond: 4 * MEBIBYTE, slowSeconds: 1 }
/** Much longer than the rate gives a client that sends or reads next to nothing. */
const MAX_MS = 15_000

describe('a client', () => {
  let server: Server
  let port: number
  const opened: Socket[] = []

  before(async () => {
    server = createServer((request, response) => {
      const take = () => request.resume().on('end', () => response.end('taken'))
      if (request.method === 'GET') sendForever(response)
      // The body of this one is read later.
      else if (request.url === '/later') setTimeout(take, 4000)
      else take()
    })
    endSlowClients(server, RATE)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  after(() => {
    for (const socket of opened) socket.destroy()
    server.closeAllConnections()
    server.close()
  })

  function open(request: string): Socket {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    opened.push(socket)
    socket.write(`${request} HTTP/1.1\r\nHost: localhost\r\n`)
    return socket
  }

  async function milliseconds(until: Promise<unknown>): Promise<number> {
    const begun = performance.now()
    await Promise.race([until, pause(MAX_MS)])
    return performance.now() - begun
  }

  it('is disconnected if it hardly reads its answer', async () => {
    const socket = open('GET /')
    socket.write('\r\n')
    await once(socket, 'data')
    socket.pause()
    const closed = new Promise((resolve) => server.once('closed-one', resolve))
    assert.ok((await milliseconds(closed)) < MAX_MS)
  })

  it('is not disconnected if it reads its answer fast enough, for any time', async () => {
    const socket = open('GET /')
    socket.write('\r\n')
    socket.resume()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await Promise.race([closed, pause(4000)])
    assert.ok(!socket.destroyed)
    socket.destroy()
  })

  it('gets 408 if it hardly sends its body', async () => {
    const socket = open('PUT /')
    socket.write('Content-Length: 1000000\r\n\r\n')
    const drip = setInterval(() => socket.write('x'), 50)
    const answered = once(socket, 'data') as Promise<[Buffer]>
    assert.ok((await milliseconds(answered)) < MAX_MS)
    clearInterval(drip)
    assert.match((await answered)[0].toString(), /^HTTP\/1\.1 408 /)
  })

  it('is not blamed if the service does not read its body', async () => {
    const socket = open('PUT /later')
    socket.write(`Content-Length: ${8 * MEBIBYTE}\r\n\r\n`)
    socket.write(Buffer.alloc(8 * MEBIBYTE))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 200 /)
  })

  function sendForever(response: ServerResponse): void {
    const chunk = Buffer.alloc(64 * 1024)
    response.once('close', () => server.emit('closed-one'))
    const send = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', send)
    send()
  }
})
