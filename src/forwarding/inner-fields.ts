// Fields that nodes add to a request which they pass on, and never accept from a client: the client's address, and their secret.

import type { IncomingMessage } from 'node:http'

export const CLIENT_ADDRESS = 'X-Palimpsest-Client-Address'
export const NODE_SECRET = 'X-Palimpsest-Node-Secret'

/** Sets the socket's remote address to the client's. A connection between nodes carries one request at a time. */
export function restoreClientAddress(request: IncomingMessage): void {
  const value = request.headers[CLIENT_ADDRESS.toLowerCase()]
  Object.defineProperty(request.socket, 'remoteAddress', { value, configurable: true })
}
