import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { openInnerServer } from '../../src/forwarding/inner-server.js'
import { forwardTo } from '../../src/workers/forward-to-primary.js'

const LONG_BYTES = 8 * 1024 * 1024
const HEAD_BYTES = 4096
/** What comes with the head, and before reading stops. */
const MOST_READ_BYTES = 128 * 1024

describe('a request that a worker forwards', () => {
  let folder: string
  let primary: Server
  let worker: Server
  let answer: (request: IncomingMessage, response: ServerResponse) => unknown
  /** Bytes that came on the primary's connection after the head of the last request. */
  let arrived: () => number

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-forward-'))
    const socketPath = join(folder, 'serve.sock')
    primary = await openInnerServer({
      at: { path: socketPath },
      handle: (asked, response) => {
        const before = asked.socket.bytesRead
        arrived = () => asked.socket.bytesRead - before
        answer(asked, response)
      },
    })
    worker = createServer(forwardTo(socketPath)).listen(0)
    await once(worker, 'listening')
  })
  after(() => {
    for (const server of [worker, primary]) {
      server.close()
      server.closeAllConnections()
    }
    rmSync(folder, { recursive: true, force: true })
  })

  async function send(
    body: Buffer,
    headers: Record<string, string | number>,
  ): Promise<{ status: number; text: string }> {
    const { port } = worker.address() as AddressInfo
    const sent = request({ port, method: 'POST', headers, agent: false })
    // A refusal may end the connection while the body is still being sent.
    sent.on('error', () => undefined)
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: response.statusCode ?? 0, text: (await buffer(response)).toString() }
  }

  const framings = [{ 'content-length': LONG_BYTES }, { 'transfer-encoding': 'chunked' }]

  for (const headers of framings) {
    const framing = Object.keys(headers).join()

    it(`keeps its long body (${framing}) with the client where the primary refuses it unread`, async () => {
      answer = (_asked, response) => response.writeHead(413, { 'content-length': 8 }).end('too long')
      assert.deepEqual(await send(Buffer.alloc(LONG_BYTES, 'x'), headers), { status: 413, text: 'too long' })
      assert.ok(arrived() < HEAD_BYTES, `${arrived()} bytes`)
    })

    it(`brings its long body (${framing}) once the primary reads it, however late`, async () => {
      answer = async (asked, response) => {
        await pause(50)
        response.end(String((await buffer(asked)).length))
      }
      assert.deepEqual(await send(Buffer.alloc(LONG_BYTES, 'x'), headers), { status: 200, text: String(LONG_BYTES) })
    })
  }

  it('has next to nothing of its long body read where the primary refuses it', async () => {
    answer = (_asked, response) => response.writeHead(413, { 'content-length': 8 }).end('too long')
    const opened = once(worker, 'connection') as Promise<[Socket]>
    await send(Buffer.alloc(LONG_BYTES, 'x'), { 'content-length': LONG_BYTES })
    const [socket] = await opened
    if (!socket.closed) await once(socket, 'close')
    assert.ok(socket.bytesRead <= MOST_READ_BYTES, `${socket.bytesRead} bytes`)
  })

  it('brings a short body at once, and an empty one without a length', async () => {
    answer = async (asked, response) => response.end((await buffer(asked)).toString())
    assert.deepEqual(await send(Buffer.from('short'), {}), { status: 200, text: 'short' })
    assert.deepEqual(await send(Buffer.alloc(0), { 'transfer-encoding': 'chunked' }), { status: 200, text: '' })
  })

  it('is answered, as are 799 others that come at once', async () => {
    answer = (_asked, response) => response.end()
    const { port } = worker.address() as AddressInfo
    const clients = Array.from({ length: 800 }, () => connect(port))
    await Promise.all(clients.map((client) => once(client, 'connect')))
    // The worker has accepted all of them, so that it sends on several requests in a turn; the primary accepts one connection in each.
    await send(Buffer.alloc(0), {})
    const answers = clients.map((client) => once(client, 'data').then(([data]) => String(data).slice(0, 12)))
    for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const statuses = new Set(await Promise.all(answers))
    for (const client of clients) client.destroy()
    assert.deepEqual([...statuses], ['HTTP/1.1 200'])
  })
})
