import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Socket } from 'node:net'
import { countedAddressOf } from '../../../src/protocols/http/counted-address.js'
import { createHttpServer } from '../../../src/protocols/http/server/http-server.js'

describe('the address that connections are counted by', () => {
  for (const [address, counted] of [
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2:ffff::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ] as const) {
    it(`is ${counted} for ${address}`, () => assert.equal(countedAddressOf(address), counted))
  }

  it('makes the limit of connections one for all addresses of an IPv6 /64', async () => {
    const server = createHttpServer(
      {
        headersTimeoutSeconds: 5,
        requestTimeoutSeconds: 5,
        keepAliveSeconds: 5,
        maxConnections: 100,
        maxConnectionsPerAddress: 2,
        maxRequestsPerConnection: 100,
        minBytesPerSecond: 0,
        slowSeconds: 1,
      },
      [],
      () => undefined,
    )
    const from = (address: string) => announce(server, address)
    const [one, two, three] = [from('2001:db8::1'), from('2001:db8::2'), from('2001:db8::3')]
    assert.deepEqual(
      [one, two, three].map((socket) => socket.destroyed),
      [false, false, true],
    )
    assert.equal(from('2001:db8:0:1::1').destroyed, false)
    one.destroy()
    await once(one, 'close')
    assert.equal(from('2001:db8::3').destroyed, false)
  })
})

/** Tells the server of a connection from that address: this machine has no IPv6 network to connect over. */
function announce(server: Server, address: string): Socket {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: address })
  server.emit('connection', socket)
  return socket
}
