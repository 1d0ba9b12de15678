import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { dropUnread } from '../../../../src/protocols/http/server/http-server.js'
import { holdThread } from '../../../tasks/analysis/hold-thread.js'

/** Longer than a body that was refused may take to arrive. */
const STALL_MS = 1100

describe('a body that was refused before its end', () => {
  it('does not close the connection if its rest arrived in time, even if a busy process sees it late', async () => {
    const server = createServer((request, response) => {
      const isNext = request.method === 'GET'
      if (!isNext) response.once('finish', () => dropUnread(request, () => request.socket.destroy()))
      response.writeHead(isNext ? 200 : 503, { 'content-length': 4 }).end(isNext ? 'next' : 'busy')
    }).listen(0)
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port)
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n')
    await once(socket, 'data')
    socket.write('restGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    holdThread(STALL_MS)
    let said = ''
    for await (const data of socket) said += String(data)
    server.close()
    assert.match(said, /next/)
  })
})
