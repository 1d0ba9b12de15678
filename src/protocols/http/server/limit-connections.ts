// Limits the open connections of one address. A new connection is served at once or destroyed.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { countedAddressOf } from '../counted-address.js'
import type { IsTrusted } from '../trusted-proxies.js'

/** Destroys new connections of an address that has `max` open. Trusted proxies connect for many clients and are not counted. */
export function limitConnections(server: Server, max: number, isTrusted: IsTrusted): void {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return
    const address = countedAddressOf(remoteAddress)
    const count = open.get(address) ?? 0
    if (count >= max) {
      socket.destroy()
      return
    }
    open.set(address, count + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
}
