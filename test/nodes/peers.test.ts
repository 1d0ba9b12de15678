import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { openInnerServer } from '../../src/forwarding/inner-server.js'
import { isOfPeer, Peers } from '../../src/nodes/peers.js'
import { freePort } from '../servers/ports.js'

const SECRET = 'shared by all nodes'
const LONG_BYTES = 1024 * 1024

describe('a request that one node sends to another', () => {
  const silent: string[] = []
  const servers: Server[] = []
  const peers = new Peers(SECRET, (_address, reason) => silent.push(reason))
  let isThere = true
  let handle: RequestListener
  let address: string
  let entry: number

  before(async () => {
    const port = await freePort()
    address = `127.0.0.1:${port}`
    const home = await openInnerServer({
      at: { host: '127.0.0.1', port },
      handle: (asked, response) => handle(asked, response),
      answersItself(asked, response) {
        const isQuestion = asked.method === 'OPTIONS'
        if (isQuestion && isThere) response.writeHead(isOfPeer(asked, SECRET) ? 204 : 403).end()
        return isQuestion
      },
    })
    const receiver = createServer((asked, response) =>
      peers.pass(address, asked, response, (_asked, _response, isUnsent) =>
        response.writeHead(503).end(isUnsent ? 'unsent' : 'unknown'),
      ),
    ).listen(0)
    await once(receiver, 'listening')
    servers.push(home, receiver)
    entry = (receiver.address() as AddressInfo).port
  })
  after(() => {
    peers.close()
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
  })

  async function send(body: Buffer): Promise<string> {
    const headers = { 'Content-Length': body.length, 'X-Palimpsest-Node-Secret': 'of a client' }
    const sent = request({ port: entry, method: 'POST', headers, agent: false })
    sent.on('error', () => undefined).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return `${response.statusCode} ${String(await buffer(response))}`
  }

  it('comes with the secret of the nodes alone, whatever the client sent', async () => {
    handle = (asked, response) => response.end(String(isOfPeer(asked, SECRET)))
    assert.equal(await send(Buffer.from('short')), '200 true')
  })

  it('has an unknown outcome where the other one breaks off with its body', async () => {
    handle = (asked) => void buffer(asked).then(() => asked.socket.destroy())
    assert.equal(await send(Buffer.from('short')), '503 unknown')
  })

  it('is free again where the other one falls silent before it has asked for a long body', async () => {
    handle = () => (isThere = false)
    assert.equal(await send(Buffer.alloc(LONG_BYTES)), '503 unsent')
    assert.deepEqual(silent, ['no answer within 1000 ms'])
    isThere = true
  })

  it('is not sent where the other one has another secret', async () => {
    const strangers = new Peers('another', (_address, reason) => silent.push(reason))
    assert.equal(await strangers.answers(address), false)
    assert.equal(silent.at(-1), 'it answers 403')
    strangers.close()
  })
})
