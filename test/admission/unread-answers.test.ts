// Answers that wait for their clients, with a real server whose clients do not read.

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { MemoryShare } from '../../src/admission/memory-budget.js'
import { MEMORY } from '../../src/admission/memory-rows.js'
import { UnreadAnswers } from '../../src/admission/unread-answers.js'
import { sendLong } from '../../src/protocols/git-http/send.js'
import { ServiceError } from '../../src/model/errors.js'
import { until } from '../support/within.js'

const MIB = 1024 * 1024
/** More than the kernel keeps for a connection. */
const ANSWER = Buffer.alloc(12 * MIB, 'a')

describe('long answers', () => {
  const unread = new UnreadAnswers(new MemoryShare(64 * MIB, MEMORY.requests))
  const answered: string[] = []
  let server: Server
  let clients: Socket[] = []

  before(async () => {
    server = createServer((request, response) => {
      const holder = request.url ?? ''
      sendLong(unread, holder, response, 'text/plain', ANSWER).then(
        () => answered.push(`${holder} sent`),
        (error: unknown) => {
          answered.push(`${holder} ${error instanceof ServiceError ? error.code : String(error)}`)
          response.writeHead(503).end()
        },
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  beforeEach(() => answered.splice(0))
  afterEach(async () => {
    for (const client of clients) client.destroy()
    clients = []
    const count = () => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)))
    await until(count, (open) => open === 0)
  })
  after(() => server.close())

  /** A client that asks and reads nothing. */
  function ask(holder: string): Socket {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
    client.on('error', () => undefined)
    client.write(`GET ${holder} HTTP/1.1\r\nHost: a\r\n\r\n`)
    clients.push(client)
    return client
  }

  const untilAnswered = async (count: number) =>
    await until(
      () => answered.length,
      (length) => length === count,
    )

  it('are refused to a workspace whose clients read none, while others get theirs', async () => {
    for (let n = 0; n < 5; n++) ask('/greedy')
    await untilAnswered(5)
    const busy = '/greedy service_busy'
    assert.deepEqual(answered.toSorted(), ['/greedy sent', '/greedy sent', busy, busy, busy].toSorted())
    ask('/other')
    await untilAnswered(6)
    assert.equal(answered.at(-1), '/other sent')
  })

  it('are sent once others are read, or the clients of those have left', async () => {
    const first = ask('/greedy')
    ask('/greedy')
    await untilAnswered(2)
    ask('/greedy')
    ask('/greedy')
    first.resume()
    clients[1]?.destroy()
    await untilAnswered(4)
    assert.deepEqual(
      answered,
      Array.from({ length: 4 }, () => '/greedy sent'),
    )
  })
})
