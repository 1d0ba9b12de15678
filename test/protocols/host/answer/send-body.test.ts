import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Gate } from '../../../../src/admission/gate.js'
import { ruleOf } from '../../../../src/admission/gate-rows.js'
import { DEFAULT_SIZES } from '../../../../src/admission/row.js'
import { BodySender } from '../../../../src/protocols/host/answer/send-body.js'
import { MAX_PIECE_BYTES } from '../../../../src/model/bytes.js'

const VISITORS = 12
const LONG = Buffer.alloc(8 * MAX_PIECE_BYTES, 'x')
const SHORT = Buffer.alloc(2 * MAX_PIECE_BYTES, 'y')
/** The header sections of a few answers. */
const FEW_BYTES = 16 * 1024

describe('long bodies that many visitors ask for at once', () => {
  let server: Server
  let sockets: Socket[]
  let ended: string[]

  beforeEach(async () => {
    const sender = new BodySender(new Gate(ruleOf('pieces', DEFAULT_SIZES)))
    sockets = []
    ended = []
    server = createServer((request, response) => {
      const [, address = '', length] = (request.url ?? '').split('/')
      response.writeHead(200).once('finish', () => ended.push(address))
      sender.send(response, length === 'long' ? LONG : SHORT, address)
    })
    server.on('connection', (socket) => sockets.push(socket))
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterEach(() => new Promise((resolve) => server.close(resolve)))

  it('are sent in one piece for each turn of the event loop, and arrive completely', async () => {
    const answers = Promise.all(Array.from({ length: VISITORS }, () => lengthOf('/a/long')))
    const all = { haveCome: false }
    void answers.then(() => (all.haveCome = true))
    let [most, before] = [0, 0]
    do {
      await nextTurn()
      const now = sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
      most = Math.max(most, now - before)
      before = now
    } while (!all.haveCome)
    assert.deepEqual(new Set(await answers), new Set([LONG.length]))
    assert.ok(most <= MAX_PIECE_BYTES + FEW_BYTES, `${most} bytes in one turn`)
  })

  it('leave the next turn to a visitor at another address', async () => {
    const first = Array.from({ length: VISITORS }, () => lengthOf('/a/long'))
    await once(server, 'request')
    assert.equal(await lengthOf('/b/short'), SHORT.length)
    assert.deepEqual(ended, ['b'])
    await Promise.all(first)
  })

  async function lengthOf(path: string): Promise<number> {
    const { port } = server.address() as AddressInfo
    const [answer] = (await once(get({ host: '127.0.0.1', port, path, agent: false }), 'response')) as [IncomingMessage]
    let length = 0
    for await (const part of answer) length += (part as Buffer).length
    return length
  }
})
